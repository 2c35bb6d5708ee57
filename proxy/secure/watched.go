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

const (
	// checkEvery is how often files are looked at, at most: when there are handshakes.
	checkEvery = time.Second
	// mostWait is how long a handshake may wait for the files that it has let be looked at, so that
	// the first one in a long time gets a new certificate.
	mostWait = 100 * time.Millisecond
	// longRead is how long reading the files may take before it is logged.
	longRead = 10 * time.Second
)

// watched is a configuration made of files. It is safe for concurrent use.
//
// Reading may block for as long as a network file system does not answer. So the files are read by
// a goroutine, of which there is one at most, and meanwhile handshakes use what was read before.
type watched struct {
	files []string // the first is that of its own certificate, if it has one
	make  func() (*tls.Config, error)

	// For the one that reads.
	stamps []stamp
	failed int // attempts since the files could be used

	mu      sync.Mutex // never held while files are read
	now     *tls.Config
	checked time.Time
	reading bool
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

// config returns the configuration. If it was not checked lately, it lets that be done, and waits for
// a moment.
func (w *watched) config(log *slog.Logger) *tls.Config {
	if done := w.begin(log); done != nil {
		timer := time.NewTimer(mostWait)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// begin starts a check, unless one is under way or the last one was lately: then it returns nil. The
// channel is closed when the check is over.
func (w *watched) begin(log *slog.Logger) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reading || time.Since(w.checked) < checkEvery {
		return nil
	}
	w.reading, w.checked = true, time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		late := time.AfterFunc(longRead, func() {
			log.Error("files for TLS can't be read: their disk or server does not answer; the old ones remain in use", "files", strings.Join(w.files, " "))
		})
		w.check(log)
		late.Stop()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.reading = false
	}()
	return done
}

// check makes the configuration again if its files have changed. If they can't be used now, it remains
// what it was. That is logged if it is so for longer than it takes to replace a certificate and then
// its key.
func (w *watched) check(log *slog.Logger) {
	stamps := w.look()
	if w.failed == 0 && slices.Equal(stamps, w.stamps) {
		return
	}
	w.stamps = stamps
	next, err := w.make()
	if err == nil {
		w.failed = 0
		w.mu.Lock()
		w.now = next
		w.mu.Unlock()
		log.Info("files for TLS were read again", "files", strings.Join(w.files, " "))
		if text := w.warning(); text != "" {
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
	if len(w.now.Certificates) == 0 {
		return ""
	}
	return validityWarning(w.files[0], w.now.Certificates[0].Leaf, time.Now())
}
