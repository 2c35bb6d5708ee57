package structure

import "github.com/memverbs/memverbs/verbs/structure/views"

// claim is what a leader may do with the view that it decides on, and what becomes of the view afterwards:
//
//	without a coroutine ──▶ shared ──take──▶ taken ──giveUp──▶ unkept
//	                           │               ▲                ▲
//	                           ├─────giveUp────│────────────────┤
//	on a coroutine ──▶ held ───│──────take─────┘                │
//	                     └─────┴─────giveUp─────────────────────┘
//	               or unkept or borrowed, see claimTo
type claim uint8

const (
	shared   claim = iota // it is in Views, where other calls may use it, so it is not changed
	held                  // it was taken out of Views, but not changed: it goes back even if the race is lost
	taken                 // it was taken out of Views and is ahead of memcached; it goes back after the append
	unkept                // it does not go back; if it is in Views, it will be found outdated there
	borrowed              // other calls use its fold, so it must not be changed; it does not go into Views
)

// claimTo returns the claim to a view that no other call can find any more. inUse says that others use its fold.
func claimTo(v *views.View, inUse bool) claim {
	switch {
	case inUse:
		return borrowed
	case v.Gone: // it was never in Views, or has been dropped
		return unkept
	}
	return held
}

// take returns the claim to the view once it has been taken out of Views.
func (c claim) take() claim {
	if c == shared || c == held {
		return taken
	}
	return c
}

// giveUp returns the claim to the view if it can't be brought up to date.
func (c claim) giveUp() claim {
	if c == borrowed {
		return borrowed
	}
	return unkept
}

// keeps reports whether the view is in Views after the append.
func (c claim) keeps() bool { return c == shared || c == held || c == taken }

// changes reports whether the view may be changed.
func (c claim) changes() bool { return c != borrowed }

// company is whether a leader takes other calls' appends along, which are held back while it decides (see
// [Env.TakeAlong]):
//
//	noneTaken ──took──▶ someTaken ──told──▶ noneTaken
//	     └──────took──▶ takenInVain ──told──▶ takesNone
type company uint8

const (
	noneTaken   company = iota // it will take along those that are held back
	someTaken                  // its tokens begin with those appends, whose calls wait for the outcome
	takenInVain                // the same, but the view could not be extended by them, so nothing is appended
	takesNone                  // it takes none: that has failed before, or there can't be any
)

// took returns the state after appends were taken along. extended says that the view was extended by them.
func (c company) took(extended bool) company {
	if extended {
		return someTaken
	}
	return takenInVain
}

// told returns the state after those that were taken along have got the outcome, if there were any.
func (c company) told() company {
	switch c {
	case someTaken:
		return noneTaken
	case takenInVain:
		return takesNone
	}
	return c
}

// awaits reports whether there are calls that wait for the outcome.
func (c company) awaits() bool { return c == someTaken || c == takenInVain }
