package upstream

// OnReturn is what is done when an upstream that was away is back.
type OnReturn uint8

const (
	// Keep leaves everything as it is.
	Keep OnReturn = iota
	// Delete deletes the keys that are remembered as outdated. If some keys could not be
	// remembered, it logs a warning.
	Delete
	// Flush is Delete, but flushes the upstream if some keys could not be remembered.
	Flush
)
