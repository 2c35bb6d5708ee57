package secure

// headerSize is the length of the header of a record, in bytes. Its last two are the length of what
// follows.
const headerSize = 5

// records follows a stream of TLS records to find where they end.
type records struct {
	header int // bytes of the next header that were received; 0 within a record
	length int // of the next record, as far as its header was received
	rest   int // bytes of the record that are missing
}

// follow takes the next bytes of the stream.
func (r *records) follow(p []byte) {
	for len(p) > 0 {
		if r.rest > 0 {
			n := min(r.rest, len(p))
			r.rest, p = r.rest-n, p[n:]
			continue
		}
		if r.header++; r.header > headerSize-2 {
			r.length = r.length<<8 | int(p[0])
		}
		if p = p[1:]; r.header == headerSize {
			r.rest = r.length
			r.header, r.length = 0, 0
		}
	}
}

// within reports whether the stream ends within a record.
func (r *records) within() bool { return r.header > 0 || r.rest > 0 }

// MaxRecord is how many bytes of plaintext are sent in one record, at most.
const MaxRecord = 16 << 10

// MaxOverhead is how many bytes longer than its plaintext a record is, at most.
const MaxOverhead = 256
