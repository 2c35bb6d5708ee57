package eventlogs

import (
	"math"
	"strconv"
)

// An event is stored in an item as
//
//	<when> <flags> <bytes>\r\n<data>\r\n
//
// and a reply shows it as
//
//	VALUE <log> <flags> <bytes> <when>\r\n<data>\r\n
//
// so a reply is made from the stored text by parsing only the time.

// appendEvent appends an event in its stored form.
func appendEvent(dst []byte, when int64, flags uint32, data []byte) []byte {
	dst = strconv.AppendInt(dst, when, 10)
	dst = strconv.AppendUint(append(dst, ' '), uint64(flags), 10)
	dst = strconv.AppendInt(append(dst, ' '), int64(len(data)), 10)
	return append(append(append(dst, "\r\n"...), data...), "\r\n"...)
}

// event has the ends of the parts of a stored event, as offsets from its beginning.
type event struct {
	when int64
	time uint16 // the end of <when>
	line uint16 // the end of <bytes>
	size uint32 // the end of the event
}

// parseEvent finds the event that item begins with. It returns false if there is none.
func parseEvent(item []byte) (e event, ok bool) {
	r := reader{text: item, ok: true}
	negative := len(item) > 0 && item[0] == '-'
	if negative {
		r.at = 1
	}
	when := r.number()
	e.time = uint16(r.at)
	r.expect(" ")
	flags := r.number()
	r.expect(" ")
	size := r.number()
	e.line = uint16(r.at)
	r.expect("\r\n")
	r.skip(size)
	r.expect("\r\n")
	if e.when = int64(when); negative {
		e.when = -e.when
	}
	e.size = uint32(r.at)
	return e, r.ok && when <= math.MaxInt64 && flags <= math.MaxUint32 && r.at <= math.MaxUint32
}

// reader reads the parts of a text one after another. ok is false once a part was not as
// expected.
type reader struct {
	text []byte
	at   int
	ok   bool
}

// maxDigits is the most digits of a number. As many always fit into 64 bits.
const maxDigits = 19

// number reads a number.
func (r *reader) number() (n uint64) {
	begin := r.at
	for r.at < len(r.text) && r.at-begin <= maxDigits {
		d := r.text[r.at] - '0'
		if d > 9 {
			break
		}
		n = n*10 + uint64(d)
		r.at++
	}
	r.ok = r.ok && r.at > begin && r.at-begin <= maxDigits
	return n
}

// expect reads want.
func (r *reader) expect(want string) {
	end := min(r.at+len(want), len(r.text))
	r.ok = r.ok && string(r.text[r.at:end]) == want
	r.at = end
}

// skip skips n bytes.
func (r *reader) skip(n uint64) {
	left := uint64(len(r.text) - r.at)
	r.ok = r.ok && n <= left
	r.at += int(min(n, left))
}

// appendReply appends the stored event in the form of a reply.
func (e *event) appendReply(dst, log, stored []byte) []byte {
	dst = append(append(dst, "VALUE "...), log...)
	dst = append(dst, stored[e.time:e.line]...)
	dst = append(append(dst, ' '), stored[:e.time]...)
	return append(dst, stored[e.line:e.size]...)
}

// appendListed appends the stored event as a part of a list, see [verbs.Call.AppendItem].
func (e *event) appendListed(dst, stored []byte, end string) []byte {
	data := stored[e.line:e.size]
	data = data[len("\r\n") : len(data)-len("\r\n")]
	dst = append(append(dst, stored[:e.line]...), end...)
	return append(append(dst, data...), end...)
}
