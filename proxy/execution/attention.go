package execution

// attention is what a client still waits for.
type attention uint8

const (
	patient attention = iota // the answers of its calls, also of those that wait until there is something for them
	hurried                  // none of its calls waits for that any more
	gone                     // nothing: it is closed
)
