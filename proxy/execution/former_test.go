package execution

import (
	"testing"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// formerOf returns what a verb knows of a structure that it has found at a former place, by one of its traces.
func formerOf(again bool, traces ...string) *former {
	k := formerKey{text: []byte(traces[0]), found: &pool.Member{}}
	for _, trace := range traces {
		k.traces = append(k.traces, []byte(trace))
	}
	return &former{keys: []formerKey{{text: []byte("elsewhere"), traces: [][]byte{[]byte("elsewhere")}}, k}, foundAgain: again}
}

func op(kind verbs.OpKind, key, of string) verbs.Op {
	op := verbs.Op{Kind: kind, Key: []byte(key)}
	if of != "" {
		op.Of = []byte(of)
	}
	return op
}

// What would make a structure is refused, with all that is to be sent with it. What makes parts of it is not.
func TestFormerPlacesRefuse(t *testing.T) {
	for _, test := range []struct {
		name string
		ops  []verbs.Op
		want string
	}{
		{"add of the structure", []verbs.Op{op(verbs.Add, "k", "")}, moved},
		{"set of the structure", []verbs.Op{op(verbs.Set, "k", "")}, moved},
		{"after parts", []verbs.Op{op(verbs.Set, "k:row", "k"), op(verbs.Add, "k:index", "k"), op(verbs.Add, "k", "")}, moved},
		{"parts", []verbs.Op{op(verbs.Set, "k:row", "k"), op(verbs.Add, "k:index", "k")}, ""},
		{"part that ends by itself", []verbs.Op{op(verbs.AppendOrCreate, "k:1", "k"), op(verbs.IncrOrCreate, "k:2", "k")}, ""},
		{"changes", []verbs.Op{op(verbs.Swap, "k", ""), op(verbs.AppendSized, "k", ""), op(verbs.Touch, "k", ""), op(verbs.Delete, "k", "")}, ""},
		{"structure that is where the pool says", []verbs.Op{op(verbs.Add, "elsewhere", "")}, ""},
	} {
		kinds := []verbs.OpKind{}
		for i := range test.ops {
			kinds = append(kinds, test.ops[i].Kind)
		}
		for _, again := range []bool{false, true} {
			reply, refused := formerOf(again, "k").refuses(test.ops)
			if reply.Err != test.want || refused != (test.want != "") {
				t.Errorf("%s, found again %v: %v %q", test.name, again, refused, reply.Err)
			}
		}
		for i := range test.ops {
			if test.ops[i].Kind != kinds[i] {
				t.Errorf("%s: operation %d has become one of another kind", test.name, i)
			}
		}
	}
}

// An append that would make a structure becomes one that does not. If it is refused, the structure may be gone, so its places are
// asked again; if it was there then, its head was full.
func TestFormerPlacesAppend(t *testing.T) {
	f, ops := formerOf(false, "k"), []verbs.Op{op(verbs.AppendOrCreate, "k", "")}
	if _, refused := f.refuses(ops); refused || ops[0].Kind != verbs.AppendSized {
		t.Errorf("refused: %v, kind %d", refused, ops[0].Kind)
	}
	full, lookAgain := verbs.Reply{Status: verbs.NotStored}, verbs.Reply{Err: moved}
	told := func(f *former, op verbs.Op, want verbs.Reply) {
		t.Helper()
		if got := f.notAppended(&op, full); got.Status != want.Status || got.Err != want.Err {
			t.Errorf("the reply is %+v", got)
		}
	}
	told(f, ops[0], lookAgain)
	told(f, ops[0], lookAgain)
	again := formerOf(true, "k")
	told(again, ops[0], full)
	told(again, ops[0], lookAgain)
	told(f, op(verbs.AppendSized, "k:index", "k"), full)
	told(f, op(verbs.Add, "k", ""), full)
}

// An add of a lock is answered as if somebody held it, until the verb has seen that it is free. Then its places are asked again, and if others
// are there still, nobody is let in beside them.
func TestFormerPlacesOfALock(t *testing.T) {
	add := []verbs.Op{op(verbs.Add, "k:place:2", "k")}
	for _, test := range []struct {
		again bool
		want  []string
	}{{false, []string{"", moved}}, {true, []string{"", "", "", ""}}} {
		f := formerOf(test.again, "k", "k:place:2", "k:place:3")
		for i, want := range test.want {
			if reply, refused := f.refuses(add); !refused || reply.Err != want || want == "" && reply.Status != verbs.NotStored {
				t.Errorf("found again %v, add %d: %v %+v", test.again, i, refused, reply)
			}
		}
	}
}

// Verbs that use a structure at different places follow one another, and whoever comes when one waits waits as well.
func TestPins(t *testing.T) {
	var p pins
	here, there := &pool.Member{}, &pool.Member{}
	key, gone := []byte("k"), 0
	then := func() { gone++ }
	if p.await(key, nil, then) || p.of(key) != nil {
		t.Error("there is something to wait for")
	}
	p.hold(key, here)
	p.hold(key, here)
	if p.await(key, here, then) {
		t.Error("verbs at one place wait for one another")
	}
	if !p.await(key, there, then) || !p.await(key, nil, then) || !p.await(key, here, then) {
		t.Error("a verb does not wait")
	}
	if p.release(key); p.of(key) != here || gone != 0 {
		t.Errorf("it is used at %p, %d go on", p.of(key), gone)
	}
	if p.release(key); p.of(key) != nil || gone != 3 {
		t.Errorf("it is used at %p, %d go on", p.of(key), gone)
	}
}
