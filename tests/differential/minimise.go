package differential

// maxAttempts is how many shorter streams are tried.
const maxAttempts = 400

// minimise returns a shorter stream that is still answered differently, with
// the difference: first without what came after it, then without whatever
// parts can be left out.
func minimise(p *pair, stream []command, found *difference) ([]command, *difference) {
	stream = stream[:found.at]
	attempts := 0
	for size := len(stream) / 2; size > 0; {
		shorter := false
		for from := 0; from < len(stream) && attempts < maxAttempts; {
			attempts++
			rest := append(append([]command(nil), stream[:from]...), stream[min(from+size, len(stream)):]...)
			d, err := p.run(rest, newTally())
			if err != nil { // the servers are gone
				return stream, found
			}
			if d != nil {
				stream, found, shorter = rest[:d.at], d, true
			} else {
				from += size
			}
		}
		if !shorter || size > len(stream) {
			size /= 2
		}
	}
	return stream, found
}
