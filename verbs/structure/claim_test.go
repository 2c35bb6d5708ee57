package structure

import (
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/views"
)

// What a leader may do with a view, after every event in every state.
func TestClaims(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim, taken, givenUp claim
		keeps, changes        bool
	}{
		{claim: shared, taken: taken, givenUp: unkept, keeps: true, changes: true},
		{claim: held, taken: taken, givenUp: unkept, keeps: true, changes: true},
		{claim: taken, taken: taken, givenUp: unkept, keeps: true, changes: true},
		{claim: unkept, taken: unkept, givenUp: unkept, changes: true},
		{claim: borrowed, taken: borrowed, givenUp: borrowed},
	} {
		if c := test.claim; c.take() != test.taken || c.giveUp() != test.givenUp || c.keeps() != test.keeps || c.changes() != test.changes {
			t.Errorf("%d: taken it is %d, given up %d; keeps %v, changes %v", c, c.take(), c.giveUp(), c.keeps(), c.changes())
		}
	}
	for _, test := range []struct {
		gone, inUse bool
		claim       claim
	}{
		{claim: held},
		{gone: true, claim: unkept},
		{inUse: true, claim: borrowed},
		{gone: true, inUse: true, claim: borrowed},
	} {
		if c := claimTo(&views.View{Gone: test.gone}, test.inUse); c != test.claim {
			t.Errorf("%+v: %d", test, c)
		}
	}
}

// Whether a leader takes appends along, after every event in every state.
func TestCompany(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		company, extended, inVain, told company
		awaits                          bool
	}{
		{company: noneTaken, extended: someTaken, inVain: takenInVain, told: noneTaken},
		{company: someTaken, extended: someTaken, inVain: takenInVain, told: noneTaken, awaits: true},
		{company: takenInVain, extended: someTaken, inVain: takenInVain, told: takesNone, awaits: true},
		{company: takesNone, told: takesNone},
	} {
		c := test.company
		if c.told() != test.told || c.awaits() != test.awaits {
			t.Errorf("%d: told it is %d; awaits %v", c, c.told(), c.awaits())
		}
		if c != takesNone && (c.took(true) != test.extended || c.took(false) != test.inVain) {
			t.Errorf("%d: taken along, it is %d or %d", c, c.took(true), c.took(false))
		}
	}
}
