package admin

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/proxy/warning"
)

// hosts are the names under which requests may ask for this server. All other names are refused.
// Otherwise another site could resolve its own name to the address of this server (DNS rebinding),
// and its page could read the answers.
type hosts struct {
	names []string
	next  http.Handler
	log   *slog.Logger

	refused warning.Shared
}

// ServeHTTP implements [http.Handler].
func (h *hosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := hostOf(r.Host)
	if h.trusts(host) {
		h.next.ServeHTTP(w, r)
		return
	}
	h.refused.Log(h.log, "the admin server has refused a request for a host that it does not trust: if the name is its own, add it to admin-hosts", "host", host, "client", r.RemoteAddr)
	http.Error(w, fmt.Sprintf("the host %q is not trusted, as a web page may have made up its name: use an address, localhost, the name of the machine, or a host of admin or admin-hosts", host), http.StatusForbidden)
}

// trusts reports whether host is safe from DNS rebinding: it is an address, localhost, one of the
// configured names, or empty. Browsers always send a host, but load balancers' checks may not.
func (h *hosts) trusts(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || host == "" || strings.EqualFold(host, "localhost") {
		return true
	}
	return slices.ContainsFunc(h.names, func(name string) bool { return name != "" && strings.EqualFold(name, host) })
}

// hostOf returns the host in a header Host, without the dot that may end a name.
func hostOf(header string) string {
	host, _, err := net.SplitHostPort(header)
	if err != nil {
		host = strings.Trim(header, "[]")
	}
	return strings.TrimSuffix(host, ".")
}
