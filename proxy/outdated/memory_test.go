package outdated

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A key is remembered once, and all servers together no more than the limits.
func TestLimits(t *testing.T) {
	m := New()
	a, b := m.Of("a"), m.Of("b")
	for range 3 {
		for i := range maxKeys / 2 {
			a.Add(fmt.Appendf(nil, "key%d", i), "")
		}
	}
	for i := range maxKeys {
		b.Add(fmt.Appendf(nil, "key%d", i), "")
	}
	if got := a.Counts().Remembered; got != maxKeys/2 || a.Unknown() > 0 {
		t.Errorf("%d keys of the first server, and %d unknown", got, a.Unknown())
	}
	if got := b.Counts(); got.Remembered != maxKeys/2 || got.Forgotten != maxKeys/2 || b.Unknown() != maxKeys/2 {
		t.Errorf("%+v of the second server", got)
	}
	m.Drop("a")
	b.Add([]byte("another"), "")
	if got := b.Counts().Remembered; got != maxKeys/2+1 {
		t.Errorf("%d keys when the first server was gone", got)
	}

	m = New()
	long := strings.Repeat("x", 240)
	for i := range maxKeys {
		m.Of("a").Add(fmt.Appendf(nil, "%s%d", long, i), "")
	}
	if got := m.Of("a").Counts().Remembered; got < 40000 || m.bytes > maxBytes || got == maxKeys {
		t.Errorf("%d long keys take %d bytes", got, m.bytes)
	}
}

// Keys are forgotten when they have been deleted, unless they are added meanwhile, and not if that fails.
func TestBatches(t *testing.T) {
	m := New()
	k := m.Of("a")
	for _, key := range []string{"x", "y", "z"} {
		k.Add([]byte(key), "spare")
	}
	one, _ := k.Take(2)
	two, _ := k.Take(2)
	if len(one.Keys) != 2 || len(two.Keys) != 1 {
		t.Fatalf("batches of %v and %v", one.Keys, two.Keys)
	}
	if b, busy := k.Take(2); b != nil || !busy {
		t.Errorf("%v is left, and others are being deleted: %v", b, busy)
	}
	k.Add([]byte(one.Keys[0]), "") // changed once more
	k.Done(one, true)
	k.Done(two, false)
	rest, _ := k.Take(10)
	if fmt.Sprint(rest.Pools) != "[ spare]" && fmt.Sprint(rest.Pools) != "[spare ]" {
		t.Errorf("%v of %v are left", rest.Keys, rest.Pools)
	}
	k.Done(rest, true)
	if anything(k) || m.keys != 0 || m.bytes != 0 || k.Counts().Deleted != 4 {
		t.Errorf("%+v, %d keys and %d bytes are left", k.Counts(), m.keys, m.bytes)
	}
}

// A flush makes keys known, but not their copies elsewhere. Of later flushes the last counts.
func TestFlushes(t *testing.T) {
	m := New()
	k := m.Of("a")
	k.Flush(time.Now().Add(time.Hour))
	k.Flush(time.Now().Add(2 * time.Hour))
	if at := time.Until(k.TakeFlush()); at < time.Hour+time.Minute || anything(k) {
		t.Errorf("a flush in %v", at)
	}
	k.Flush(time.Now().Add(time.Hour))
	k.Flush(time.Now())
	k.Add([]byte("x"), "")
	k.Add([]byte("y"), "spare")
	if at := k.TakeFlush(); time.Until(at) > 0 || at.IsZero() {
		t.Errorf("a flush at %v, which was missed", at)
	}
	k.Flushed()
	if rest, _ := k.Take(10); len(rest.Keys) != 1 || rest.Keys[0] != "y" {
		t.Errorf("%v are left", rest.Keys)
	}
}

// A successor learns everything, and later what has come since.
func TestHandOver(t *testing.T) {
	from, to := New(), New()
	k := from.Of("a")
	k.Add([]byte("x"), "spare")
	k.Add([]byte("y"), "")
	k.Take(1) // is being deleted
	from.Of("b").Flush(time.Now())
	k.unknown = 7
	var pipe bytes.Buffer
	if n, err := from.HandOver(&pipe); n != 4 || err != nil {
		t.Errorf("%d records were handed over (%v)", n, err)
	}
	k.Add([]byte("z"), "")
	if n, err := from.HandRest(&pipe); n != 1 || err != nil {
		t.Errorf("%d further records were handed over (%v)", n, err)
	}
	reader := bufio.NewReader(&pipe)
	if n, err := to.Inherit(reader, false); n != 4 || err != nil || !to.Inherited() {
		t.Errorf("%d records were inherited (%v)", n, err)
	}
	if got := to.Of("a"); got.Counts().Remembered != 2 || got.Unknown() != 7 || got.entries["x"] != "spare" || to.Of("b").TakeFlush().IsZero() {
		t.Errorf("inherited: %v, and %d unknown", got.entries, got.Unknown())
	}
	if n, err := to.Inherit(reader, true); n != 1 || err != nil || to.Of("a").Counts().Remembered != 3 {
		t.Errorf("%d further records were inherited (%v)", n, err)
	}
	if from.heir != nil {
		t.Error("what comes later is still noted")
	}
}

// anything reports whether anything is outdated.
func anything(k *Keys) bool {
	return len(k.entries) > 0 || len(k.deleted) > 0 || k.flushes != flushes{}
}
