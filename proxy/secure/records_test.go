package secure

import (
	"testing"
)

// Whatever pieces a stream arrives in, it is within a record but at the ends of records.
func FuzzRecords(f *testing.F) {
	f.Add([]byte("\x17\x03\x03\x00\x02xy\x15\x03\x03\x00\x00\x17\x03\x03\x01\x00"), uint8(3))
	f.Fuzz(func(t *testing.T, stream []byte, step uint8) {
		ends := map[int]bool{0: true}
		for at := 0; at+headerSize <= len(stream); ends[at] = true {
			at += headerSize + int(stream[at+3])<<8 + int(stream[at+4])
		}
		var r records
		for at := 0; ; {
			if r.within() == ends[at] {
				t.Fatalf("after %d bytes it is within a record: %v", at, r.within())
			}
			if at == len(stream) {
				return
			}
			n := min(1+int(step), len(stream)-at)
			r.follow(stream[at : at+n])
			at += n
		}
	})
}
