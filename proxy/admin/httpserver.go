package admin

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/memverbs/memverbs/proxy/history"
)

const (
	maxHeader    = 8 << 10 // bytes
	readTimeout  = 2 * time.Second
	writeTimeout = 2 * scrapeTimeout // so that the error of a scrape that takes too long can still be written
	idleTimeout  = 5 * time.Second   // Prometheus asks less often, and connects again
	lastAnswers  = time.Second       // how long Close waits for answers
)

// Server serves the pages of this package.
type Server struct {
	http     http.Server
	listener net.Listener
	done     chan struct{}

	stopRecording context.CancelFunc
}

// Serve starts a server on listener that shows what source tells, and calls reload when it is
// asked to. Requests may name it by an address, as localhost, or by one of names, and no other host;
// those refused are logged, at most one each second. Failures of single connections are logged at
// level debug.
func Serve(listener net.Listener, names []string, source Source, reload Reload, log *slog.Logger) *Server {
	s := &Server{listener: listener, done: make(chan struct{})}
	l, h := &looker{source: source}, &history.History{}
	v := &visitors{Listener: listener}
	s.http = http.Server{
		Handler:           &hosts{names: names, next: handler(l, h, reload), log: log},
		ReadHeaderTimeout: readTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ConnState:         v.changed,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	recording, stop := context.WithCancel(context.Background())
	s.stopRecording = stop
	go record(recording, source, h)
	go func() {
		defer close(s.done)
		_ = s.http.Serve(v)
	}()
	return s
}

// Addr returns the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Close stops the server when running requests have been answered, but at the latest after a
// second.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), lastAnswers)
	defer cancel()
	s.stopRecording()
	_ = s.http.Shutdown(ctx)
	_ = s.http.Close()
	<-s.done
}
