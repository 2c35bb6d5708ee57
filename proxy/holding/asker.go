package holding

// Asker is a connection that asks. Only the table uses its fields.
type Asker struct {
	told map[*making]struct{} // of which it was told that they are missing
}

// makes reports whether a may be making e, because it was told a miss.
func (a *Asker) makes(e *making) bool {
	_, told := a.told[e]
	return told
}
