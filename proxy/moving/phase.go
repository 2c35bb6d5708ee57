package moving

// Phase is how far a proxy has come in moving keys. Two proxies may be in neighbouring phases; what comes before [Both] and
// after [Ending] is that the old server, or the new one, is asked alone.
type Phase uint8

const (
	// Both: changes are made on the old server, as others may still ask that alone. Others may be ahead and have moved the key, so
	// the new server is asked, too.
	Both Phase = iota
	// Moving: whoever finds an item on the old server moves it to the new one, where changes are made.
	Moving
	// Leaving: what is on the old server is not read any more, but deleted before a change, as others may still move it.
	Leaving
	// Ending: the old server is not asked, as nobody reads it any more; but others may still reserve the key.
	Ending
)

var phaseNames = [...]string{Both: "both", Moving: "moving", Leaving: "leaving", Ending: "ending"}

// String returns the name of the phase.
func (p Phase) String() string { return phaseNames[p] }
