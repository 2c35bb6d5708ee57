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
	// checkEvery is the least time between two checks of the files. Handshakes start checks.
	checkEvery = time.Second
	// mostWait is how long a handshake may wait for a check of the files, so that even the first
	// handshake in a long time gets a new certificate.
	mostWait = 100 * time.Millisecond
	// longRead is how long reading the files may take before it is logged.
	longRead = 10 * time.Second
)

// Watched is a configuration made of files. It is safe for concurrent use.
//
// Reading may block for as long as a network file system does not answer. So a goroutine reads the
// files, at most one at a time, and meanwhile handshakes use what was read before.
type Watched struct {
	files []string // the first is that of its own certificate, if it has one
	make  func() (*tls.Config, error)
	log   *slog.Logger

	// Used only by the goroutine that reads.
	stamps []stamp
	failed int // attempts since the files could be used

	mu      sync.Mutex // never held while files are read
	now     *tls.Config
	checked time.Time
	reading bool
}

// stamp is the properties of a file that show whether it has changed.
type stamp struct {
	modified time.Time
	size     int64
}

// watch makes the configuration for the first time. The first of files is that of its own
// certificate. Names of files may be empty.
func watch(files []string, make func() (*tls.Config, error)) (*Watched, error) {
	w := &Watched{make: make, log: slog.New(slog.DiscardHandler), checked: time.Now()}
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

// SetLog sets where changes of the files are logged, with the Warning of a new certificate. It must be called
// before there are handshakes.
func (w *Watched) SetLog(log *slog.Logger) { w.log = log }

// config returns the configuration. If the files were not checked lately, it starts a check and waits
// for a moment.
func (w *Watched) config() *tls.Config {
	if done := w.begin(); done != nil {
		select {
		case <-done:
		case <-time.After(mostWait):
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// begin starts a check and returns a channel that is closed when the check is over. It returns nil
// if a check is running or the last one was less than checkEvery ago.
func (w *Watched) begin() <-chan struct{} {
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
			w.log.Error("files for TLS can't be read: their disk or server does not answer; the old ones remain in use", "files", strings.Join(w.files, " "))
		})
		w.check()
		late.Stop()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.reading = false
	}()
	return done
}

// check makes the configuration again if its files have changed. If they can't be used, the
// configuration remains as it is. That is logged if it lasts longer than it takes to replace a
// certificate and then its key.
func (w *Watched) check() {
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
		w.log.Info("files for TLS were read again", "files", strings.Join(w.files, " "))
		w.warn()
		return
	}
	if w.failed++; w.failed == 2 {
		w.log.Error("files for TLS have changed and can't be used: the old ones remain in use", "reason", err)
	}
}

// look returns the stamps of the files. The stamp of a file that can't be examined is zero.
func (w *Watched) look() (stamps []stamp) {
	for _, path := range w.files {
		var s stamp
		if info, err := os.Stat(path); err == nil {
			s = stamp{info.ModTime(), info.Size()}
		}
		stamps = append(stamps, s)
	}
	return stamps
}

// Validity returns the validity of the certificate as it was last read, if there is one. If the file was not checked
// lately, it starts a check, but does not wait for it.
func (w *Watched) Validity() (v Validity, has bool) {
	w.begin()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.now.Certificates) == 0 {
		return Validity{}, false
	}
	return Validity{w.files[0], w.now.Certificates[0].Leaf.NotAfter}, true
}

// Warning returns what operators should know of the certificate: that it has expired, is not valid
// yet, or expires within a week. It is empty if there is nothing to be said, or no certificate.
func (w *Watched) Warning() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.now.Certificates) == 0 {
		return ""
	}
	return validityWarning(w.files[0], w.now.Certificates[0].Leaf, time.Now())
}

// Remind checks the files, and logs the Warning, if there is one.
func (w *Watched) Remind() {
	w.config()
	w.warn()
}

func (w *Watched) warn() {
	if text := w.Warning(); text != "" {
		w.log.Warn(text)
	}
}
