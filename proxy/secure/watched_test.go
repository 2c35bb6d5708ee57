package secure

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memverbs/memverbs/tests/securetest"
)

// Files that have changed are read again. While they can't be used, the configuration remains what it
// was, which is logged once, from the second time on. A new certificate that expires soon is used, with
// a warning.
func TestWatched(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p, next := a.Issue(), a.IssueUntil(time.Now().Add(time.Hour))
	o := ServerOptions{Cert: p.Cert, Key: p.Key, ClientCA: a.File, MinVersion: tls.VersionTLS12}
	s, err := NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	s.SetLog(slog.New(slog.NewTextHandler(&said, nil)))
	look := func() *tls.Config {
		s.checked = time.Time{}
		<-s.begin()
		return s.config()
	}
	first := look()
	if again := look(); again != first || said.Len() > 0 {
		t.Errorf("nothing has changed, and the configuration has; the log has %q", &said)
	}
	replace(t, next.Cert, p.Cert)
	for n, lines := range []int{0, 1, 1, 1} {
		if now := look(); now != first || strings.Count(said.String(), "\n") != lines {
			t.Errorf("look %d: the configuration is another: %v; the log has %q", n, now != first, &said)
		}
	}
	if !strings.HasPrefix(said.String()[strings.Index(said.String(), "level="):], `level=ERROR msg="files for TLS have changed and can't be used: the old ones remain in use" reason="the key `) {
		t.Errorf("the log has %q", &said)
	}
	replace(t, next.Key, p.Key)
	second := look()
	if second == first || !second.Certificates[0].Leaf.Equal(next.Leaf) || strings.Count(said.String(), "\n") != 3 ||
		!strings.Contains(said.String(), `level=WARN msg="the certificate `+p.Cert+" expires at "+next.Leaf.NotAfter.Format(time.RFC3339)+", in less than a week: ") {
		t.Errorf("the files fit, and are not used; the log has %q", &said)
	}
	if err := os.Remove(a.File); err != nil {
		t.Fatal(err)
	}
	look()
	if now := look(); now != second || strings.Count(said.String(), "level=ERROR") != 2 {
		t.Errorf("without the authorities, the configuration is another: %v; the log has %q", now != second, &said)
	}
}

// replace gives a file the content of another.
func replace(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err == nil { // as if some time had passed
		err = os.Chtimes(to, time.Time{}, time.Now().Add(time.Second))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// While files can't be read because their disk does not answer, one goroutine waits for that, and
// handshakes go on with what was read before. When it answers, the new files are used.
func TestFilesThatBlock(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p, next := a.Issue(), a.Issue()
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		old, answers := &tls.Config{}, make(chan *tls.Config)
		first, readers := true, 0
		w, err := watch([]string{p.Cert}, func() (*tls.Config, error) {
			if first {
				first = false
				return old, nil
			}
			readers++
			return <-answers, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.SetLog(slog.New(slog.NewTextHandler(&said, nil)))
		replace(t, next.Cert, p.Cert)
		time.Sleep(checkEvery)
		start := time.Now()
		for range 100 {
			if w.config() != old {
				t.Fatal("the configuration is another")
			}
		}
		if took := time.Since(start); took != mostWait {
			t.Errorf("handshakes waited for %v in all, expected %v", took, mostWait)
		}
		time.Sleep(longRead)
		synctest.Wait()
		if w.config(); readers != 1 || strings.Count(said.String(), "files for TLS can't be read: ") != 1 {
			t.Errorf("%d read the files, and the log has %q", readers, &said)
		}
		changed := &tls.Config{}
		answers <- changed
		synctest.Wait()
		if w.config() != changed {
			t.Error("the new files are not used")
		}
	})
}
