package waiters

// Outcome is the outcome of a call that was made.
type Outcome uint8

const (
	Nothing Outcome = iota // there is nothing for it
	Found
	Failed
)

// Result is what a call that was made has come to.
type Result struct {
	Outcome Outcome
	Answer  []byte // valid until Tried returns
	// In is in how many milliseconds the call may find something without being woken, if it has found nothing; 0 if that
	// is not known.
	In    int64
	Sight Sight // of a call of All that has not failed
}

// Sight is what a call of All has seen of its structure, whatever it has found there.
type Sight struct {
	// From is where the call begins to look: if it is the less, the call sees all that another one sees.
	From int64
	// Mark is another one whenever From is, or what is to be seen from there on. It is not 0.
	Mark uint64
}

// moments tells what came before what.
type moments uint64

// next returns 1, 2, 3 …
func (m *moments) next() uint64 {
	*m++
	return uint64(*m)
}
