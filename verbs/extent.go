package verbs

// Extent is what there is to tell of some items together.
type Extent struct {
	Items int   // how many there are
	Bytes int   // of their values
	TTL   int64 // seconds until the last of them expires, -1 for never
}

// Add adds the item that r has read, if there is one.
func (e *Extent) Add(r *Reply) {
	if r.Status != Hit {
		return
	}
	e.Items++
	e.Bytes += len(r.Data)
	if e.TTL < 0 || r.TTL < 0 {
		e.TTL = -1
	} else {
		e.TTL = max(e.TTL, r.TTL)
	}
}
