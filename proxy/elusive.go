package proxy

import "github.com/memverbs/memverbs/protocol"

// requestElusive sends a request that may not be answered, and behind it one
// that is: if the answer to that comes first, there is none to the other.
func (u *upstream) requestElusive(r *protocol.Request, p pending) {
	p.elusive = true
	u.request(r, p)
	u.wire.out.write([]byte("mn\r\n"))
	u.push(pending{sink: nobody{}, command: protocol.MetaNoop})
}

// absent reports whether the unit that has been read shows that there is no
// answer to p.
func (r *replyReader) absent(p *pending) bool {
	return p.elusive && string(r.unit.Line) == "MN"
}
