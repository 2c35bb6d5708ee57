package namespace

// OrderOfVerb returns the order of a verb, which may take several operations, all of which are sent under one generation: it asks
// before the first of them, or after the last one, or both. blind says that a verb only appends, and tells nothing of what was there.
func OrderOfVerb(readOnly, blind bool) Order {
	switch {
	case readOnly:
		return After
	case blind:
		return Before
	}
	return Around
}
