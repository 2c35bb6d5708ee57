package admin

import (
	"fmt"
	"net/http"
)

// handler answers all requests.
func handler(source Source, reload Reload) http.Handler {
	l := &looker{source: source}
	mux := http.NewServeMux()
	mux.Handle("/{$}", http.HandlerFunc(servePage))
	mux.Handle("/status.json", http.HandlerFunc(l.serveStatus))
	mux.Handle("/metrics", metrics(l))
	mux.Handle("/healthz", http.HandlerFunc(l.serveHealth))
	mux.Handle("/readyz", http.HandlerFunc(l.serveReadiness))
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

// serveHealth answers whether the event loops answer. A proxy that is draining is healthy.
func (l *looker) serveHealth(w http.ResponseWriter, _ *http.Request) {
	if _, err := l.look(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// serveReadiness answers whether the proxy should get clients.
func (l *looker) serveReadiness(w http.ResponseWriter, _ *http.Request) {
	switch s, err := l.look(); {
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	case s.Unready != "":
		http.Error(w, s.Unready, http.StatusServiceUnavailable)
	default:
		fmt.Fprintln(w, "ready")
	}
}
