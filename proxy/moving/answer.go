package moving

// Answer is how the client is answered.
type Answer uint8

const (
	// NoAnswer: not yet, or it is answered already.
	NoAnswer Answer = iota
	// Shows: a get is answered with the call's [Call.Item].
	Shows
	// Passes: the reply to the last Act or Create is passed on.
	Passes
	// Misses: the answer is memcached's if there is no item: END, NOT_FOUND, or NOT_STORED.
	Misses
	// Exists: an add is answered with NOT_STORED.
	Exists
	// Removed: a delete is answered with DELETED.
	Removed
	// Unreached: a server was not reached, or has refused what has to be done first. Nothing was changed.
	Unreached
	// Unknown: whether the command was carried out is unknown.
	Unknown
	// Busy: others were in the way each time. Nothing was changed.
	Busy
)

// Step is what follows in a call: an operation, or the client's answer, or both. The call has ended if there is no operation.
type Step struct {
	Answer    Answer
	Operation Operation
}
