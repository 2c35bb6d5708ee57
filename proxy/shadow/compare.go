package shadow

// Answer is what a pool has answered to a get of a key.
type Answer uint8

const (
	Awaited Answer = iota // nothing yet
	Hit
	Miss
	Failed // an error, or nothing at all
)

// Found returns the answer of a pool that has a key, or not.
func Found(is bool) Answer {
	if is {
		return Hit
	}
	return Miss
}

// Both are the answers to the same get of a key: of the main pool, that of the route, and of its shadow.
type Both struct{ Main, Shadow Answer }

// Complete reports whether nothing is awaited.
func (b Both) Complete() bool { return b.Main != Awaited && b.Shadow != Awaited }

// Difference says which of the two pools have a key.
type Difference uint8

const (
	Unknown Difference = iota // one of them has not answered
	InBoth
	OnlyMain
	OnlyShadow
	InNeither
)

// Difference compares the answers.
func (b Both) Difference() Difference {
	switch b {
	case Both{Hit, Hit}:
		return InBoth
	case Both{Hit, Miss}:
		return OnlyMain
	case Both{Miss, Hit}:
		return OnlyShadow
	case Both{Miss, Miss}:
		return InNeither
	}
	return Unknown
}
