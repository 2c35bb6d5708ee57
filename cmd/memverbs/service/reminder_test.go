package service

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
	"github.com/memverbs/memverbs/tests/securetest"
)

// shared is a log that other goroutines write.
type shared struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *shared) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(line)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// A process that runs for long is reminded every day of certificates that are about to end, once for each
// file though several listeners have it, until one is replaced, also if nobody connects. Its snapshots
// tell when they end.
func TestCertificatesAboutToEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const day = 24 * time.Hour
		a := securetest.NewAuthority(t)
		mine, shown := a.IssueUntil(time.Now().Add(9*day+time.Hour)), a.IssueUntil(time.Now().Add(100*day))
		s, _, err := settings.ReadFile(settingstest.Write(t, settingstest.Smallest+"    tls-cert: "+mine.Cert+"\n    tls-key: "+mine.Key+"\n"+
			"    server-tls-ca: "+a.File+"\n    server-tls-cert: "+shown.Cert+"\n    server-tls-key: "+shown.Key+"\n"+
			"listeners:\n- {listen: ['127.0.0.1:2'], tls-cert: "+mine.Cert+", tls-key: "+mine.Key+", routes: {'': main}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		var said shared
		log := slog.New(slog.NewTextHandler(&said, nil))
		if _, _, err := s.Config(log); err != nil {
			t.Fatal(err)
		}
		r := newReloader("", s, nil, log)
		ctx, stop := context.WithCancel(t.Context())
		go r.reminder.remind(ctx)
		warned := func() int { return strings.Count(said.String(), "the certificate "+mine.Cert+" expire") }
		for passed, want := range []int{0, 0, 0, 1, 2, 3} {
			if got := warned(); got != want {
				t.Errorf("after %d days there are %d warnings, expected %d:\n%s", passed, got, want, said.String())
			}
			time.Sleep(day)
			synctest.Wait()
		}
		list := r.reminder.certificates()
		if len(list) != 2 || list[0].File != mine.Cert || time.Until(list[0].Ends).Round(time.Hour) != 3*day+time.Hour || list[1].File != shown.Cert {
			t.Errorf("the certificates are said to be %v", list)
		}
		before, next := warned(), a.IssueUntil(time.Now().Add(50*day))
		if err := errors.Join(os.Rename(next.Cert, mine.Cert), os.Rename(next.Key, mine.Key)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(day)
		synctest.Wait()
		if got := warned(); got != before {
			t.Errorf("there are %d warnings after the certificate was replaced, and were %d:\n%s", got, before, said.String())
		}
		if list = r.reminder.certificates(); time.Until(list[0].Ends).Round(day) != 49*day {
			t.Errorf("after one was replaced, the certificates are said to be %v", list)
		}
		stop()
		synctest.Wait()
	})
}
