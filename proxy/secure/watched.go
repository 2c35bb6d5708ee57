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

// watched is a configuration made of files. It is safe for concurrent use.
//
// Reading may block for as long as a network file system does not answer. So a goroutine reads the
// files, at most one at a time, and meanwhile handshakes use what was read before.
type watched struct {
	files []string // the first is that of its own certificate, if it has one
	make  func() (*tls.Config, error)

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

// config returns the configuration. If the files were not checked lately, it starts a check and waits
// for a moment.
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

// begin starts a check and returns a channel that is closed when the check is over. It returns nil
// if a check is running or the last one was less than checkEvery ago.
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

// check makes the configuration again if its files have changed. If they can't be used, the
// configuration remains as it is. That is logged if it lasts longer than it takes to replace a
// certificate and then its key.
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

// look returns the stamps of the files. The stamp of a file that can't be examined is zero.
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

// warning returns the warning about the certificate; it may be empty.
func (w *watched) warning() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.now.Certificates) == 0 {
		return ""
	}
	return validityWarning(w.files[0], w.now.Certificates[0].Leaf, time.Now())
}

func (w *watched) validity(log *slog.Logger) (v Validity, has bool) {
	w.begin(log)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.now.Certificates) == 0 {
		return Validity{}, false
	}
	return Validity{w.files[0], w.now.Certificates[0].Leaf.NotAfter}, true
}

func (w *watched) remind(log *slog.Logger) {
	w.config(log)
	if text := w.warning(); text != "" {
		log.Warn(text)
	}
}
