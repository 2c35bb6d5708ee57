package report

// WillOpen reports whether somebody waits. Tests use it.
func (d *Desk) WillOpen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opens
}
