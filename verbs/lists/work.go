package lists

import "github.com/memverbs/memverbs/verbs"

// work is a budget for applying tokens, since one token may remove all elements.
type work struct {
	p    *verbs.Pace // to pause; nil if there may be no pause
	left int         // what is left of the budget, in tokens
}

// spend takes n tokens from the budget, and returns false if there were fewer left.
func (w *work) spend(n int) bool {
	w.p.Rest(n)
	w.left -= n
	return w.left >= 0
}

// restsAfter is how many steps are made before they are spent.
const restsAfter = 1 << 10
