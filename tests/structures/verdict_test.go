package structures

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/tests/harness"
)

// thinking is how long the checker may take for one history. It takes longer for few of them, in which so many actions were not answered,
// and may have been carried out at any time later, that there are too many orders to try.
const thinking = time.Minute

// undecided is how many histories, one in so many, may be left without a verdict.
const undecided = 5

// drawing is how long the checker may take for the picture of one that is wrong, which shows
// how far it came.
const drawing = 5 * time.Second

// judge checks a history, and fails the test if it can't have been so.
func judge(t *testing.T, h *history, y *tally, stores []*harness.Memcached) {
	list := h.toCheck()
	began := time.Now()
	verdict := porcupine.CheckOperationsTimeout(h.model(), list, thinking)
	y.slowest.Store(max(y.slowest.Load(), int64(time.Since(began))))
	y.histories.Add(1)
	y.actions.Add(int64(len(list)))
	y.add(y.verdicts, string(verdict))
	for _, o := range list {
		if o.Output == unanswered {
			y.open.Add(1)
		}
	}
	if h.forgetful && verdict == porcupine.Ok && h.tellsOfEviction(list) {
		y.evicted.Add(1)
	}
	if verdict == porcupine.Unknown {
		t.Logf("%s: there is no verdict on %d actions in %v", h.key, len(list), thinking)
		return
	}
	why := ""
	if verdict == porcupine.Ok {
		if why = h.wrong(list); why == "" {
			return
		}
		verdict = porcupine.Illegal
	}
	t.Errorf("%s: the history is %s; see %s %s", h.key, verdict, publish(t, h, list, stores), why)
}

// tellsOfEviction reports whether a history would be wrong if nothing had been evicted. It gives up
// soon, as it is only about whether the test shows anything.
func (h *history) tellsOfEviction(list []porcupine.Operation) bool {
	return porcupine.CheckOperationsTimeout(h.kind.model(false), list, time.Second) == porcupine.Illegal
}

// publish writes down a history for people, as text with what is stored, and as a picture, and
// returns the folder.
func publish(t *testing.T, h *history, list []porcupine.Operation, stores []*harness.Memcached) string {
	dir, err := os.MkdirTemp("", "memverbs-history-")
	if err != nil {
		t.Fatal(err)
	}
	model := h.model()
	_, info := porcupine.CheckOperationsVerbose(model, list, drawing)
	text := h.String() + "\nWhat is under the key now:\n"
	for _, m := range stores {
		s := session{addr: m.Addr}
		if s.connect() {
			line, value, _ := s.ask("get " + h.key + "\r\n")
			text += fmt.Sprintf("memcached %s: %s %s\n", m.Version, line, value)
			s.close()
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "history.txt"), []byte(text), 0o644); err != nil {
		t.Error(err)
	}
	if err := porcupine.VisualizePath(model, info, filepath.Join(dir, "history.html")); err != nil {
		t.Error(err)
	}
	return dir
}
