package upstream

import (
	"errors"

	"github.com/memverbs/memverbs/protocol"
)

// maxStats is the longest answer to stats that is accepted from an upstream, in bytes.
// If it is longer, it may be endless, so the connection is closed.
const maxStats = 1 << 20

var (
	errUnfit = errors.New("a reply that does not answer the request")
	errStat  = errors.New("more statistics than are accepted")
)

// next parses the reply to p at the start of the data. p is the first request in e. It
// returns true if the reply is complete.
func (r *replyReader) next(p *Pending, e *Expected) (ready bool, err error) {
	r.check = protocol.Check{Command: p.Command, Asked: e.first(p.expected)[r.compared:]}
	if r.stream.value {
		if there, ends, err := r.finish(p); err != nil || !there || ends {
			return there, err
		}
	}
	limit := r.limitFor(p)
	for {
		n, need, err := protocol.ParseReply(r.data[r.length:], &r.unit)
		if err != nil {
			return false, err
		}
		switch {
		case n == 0 && need > limit:
			if !r.fits(p) {
				return false, errUnfit
			}
			r.passOnBegun(p)
			r.skipValue(need)
			return false, nil
		case n == 0:
			if r.passOnBegun(p); !r.begin(p, need) {
				r.keep(need)
			}
			return false, nil
		case !r.fits(p):
			return false, errUnfit
		}
		r.length += n
		if n > limit { // it arrived as a whole
			r.tooLong(n)
		}
		if r.unit.Kind.Ends() {
			return true, nil
		}
		if r.unit.Kind == protocol.ReplyValue {
			r.values++
		} else if r.length > maxStats {
			return false, errStat
		}
	}
}
