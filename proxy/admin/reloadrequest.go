package admin

import (
	"context"
	"fmt"
	"net/http"
)

// Reload makes the proxy read its settings again. It returns what is wrong with them, or an error
// if ctx is done before that.
type Reload func(ctx context.Context) error

// reloadPath is the only path to which something may be posted; Prometheus has the same.
const reloadPath = "/-/reload"

// serveReload reloads the settings. A page of another site can't ask for that.
func serveReload(reload Reload) http.Handler {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "only POST is answered here", http.StatusMethodNotAllowed)
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
