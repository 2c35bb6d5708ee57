package admin

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Reload makes the proxy read its settings again. It returns what is wrong with them, or an error
// if ctx is done before that.
type Reload func(ctx context.Context) error

// reloadPath is the only path to which something may be posted; Prometheus has the same.
const reloadPath = "/-/reload"

// serveReload reloads the settings. A page of another site can't ask for that, not even if it has
// had its own name resolved to the address of this server: the name would be that of another host.
// own is the host name at which the server was told to listen, empty if that is an address.
func serveReload(reload Reload, own string) http.Handler {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "only POST is answered here", http.StatusMethodNotAllowed)
			return
		}
		if host := hostOf(r.Host); !trusted(host, own) {
			http.Error(w, fmt.Sprintf("the host %q is not trusted, as a web page may have made up its name: use an address, localhost, or the host that is set for the admin server", host), http.StatusForbidden)
			return
		}
		if err := reload(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, "reloaded")
	})
	return http.NewCrossOriginProtection().Handler(h)
}

// hostOf returns the host in a header Host.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.Trim(header, "[]")
}

// trusted reports whether host can't be a name that somebody else has resolved to this server, since
// it is no name, or not one of theirs.
func trusted(host, own string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || strings.EqualFold(host, "localhost") || own != "" && strings.EqualFold(host, own)
}
