package admin

import (
	"fmt"
	"net/http"

	"github.com/memverbs/memverbs/proxy/history"
	"github.com/memverbs/memverbs/proxy/status"
)

// handler answers all requests.
func handler(l *looker, h *history.History, reload Reload) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/{$}", http.HandlerFunc(servePage))
	mux.Handle("/status.json", l.answer(tellStatus(h)))
	mux.Handle("/metrics", metrics(l))
	mux.Handle("/healthz", l.answer(tellHealth))
	mux.Handle("/readyz", l.answer(tellReadiness))
	mux.Handle(reloadPath, serveReload(reload))
	return guard(mux)
}

// guard refuses all requests that would change something, except a reload, and sets headers that
// forbid browsers everything but showing the page.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Path != reloadPath {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are answered", http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// answer answers requests from what the proxy tells, or says that it does not.
func (l *looker) answer(with func(http.ResponseWriter, *http.Request, *status.Snapshot)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := l.look()
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		with(w, r, s)
	})
}

// tellHealth says that the event loops answer. A proxy that is draining is healthy.
func tellHealth(w http.ResponseWriter, _ *http.Request, _ *status.Snapshot) { fmt.Fprintln(w, "ok") }

// tellReadiness tells whether the proxy should get clients.
func tellReadiness(w http.ResponseWriter, _ *http.Request, s *status.Snapshot) {
	if s.Unready != "" {
		http.Error(w, s.Unready, http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ready")
}
