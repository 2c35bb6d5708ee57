package secure

import (
	"crypto/tls"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// checkEvery is how often files are looked at, at most: when there are handshakes.
const checkEvery = time.Second

// watched is a configuration made of files. It is safe for concurrent use.
type watched struct {
	files []string // the first is that of its own certificate, if it has one
	make  func() (*tls.Config, error)

	mu      sync.Mutex
	now     *tls.Config
	stamps  []stamp
	checked time.Time
	failed  int // attempts since the files could be used
}

// stamp is what shows that a file has changed.
type stamp struct {
	modified time.Time
	size     int64
}

// watch makes the configuration for the first time. The file of its own certificate is the first.
// Names of files may be empty.
func watch(files []string, make func() (*tls.Config, error)) (*watched, error) {
	w := &watched{make: make, checked: time.Now()}
	for _, path := range files {
		if path != "" {
			w.files = append(w.files, path)
		}
	}
	w.stamps = w.look() // before reading, so that no change is missed
	var err error
	w.now, err = w.make()
	return w, err
}

// config returns the configuration, and makes it again if its files have changed. If they can't
// be used now, it remains what it was. That is logged if it is so for longer than it takes to
// replace a certificate and then its key.
func (w *watched) config(log *slog.Logger) *tls.Config {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := time.Now(); now.Sub(w.checked) >= checkEvery {
		w.checked = now
		w.check(log)
	}
	return w.now
}

func (w *watched) check(log *slog.Logger) {
	stamps := w.look()
	if w.failed == 0 && slices.Equal(stamps, w.stamps) {
		return
	}
	w.stamps = stamps
	next, err := w.make()
	if err == nil {
		w.now, w.failed = next, 0
		log.Info("files for TLS were read again", "files", strings.Join(w.files, " "))
		if text := w.doubt(); text != "" {
			log.Warn(text)
		}
		return
	}
	if w.failed++; w.failed == 2 {
		log.Error("files for TLS have changed and can't be used: the old ones remain in use", "reason", err)
	}
}

// look returns the stamps of the files. That of one that can't be looked at is zero.
func (w *watched) look() (stamps []stamp) {
	for _, path := range w.files {
		var s stamp
		if info, err := os.Stat(path); err == nil {
			s = stamp{info.ModTime(), info.Size()}
		}
		stamps = append(stamps, s)
	}
	return stamps
}

// warning returns what is to be warned of; it may be empty.
func (w *watched) warning() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.doubt()
}

// doubt is warning for those who hold mu.
func (w *watched) doubt() string {
	if len(w.now.Certificates) == 0 {
		return ""
	}
	return validityWarning(w.files[0], w.now.Certificates[0].Leaf, time.Now())
}
