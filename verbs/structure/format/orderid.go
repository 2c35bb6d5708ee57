package format

import (
	"math"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// OrderID identifies the orders that the calls of one event loop append together.
type OrderID struct {
	Caller verbs.ID
	Batch  uint64 // counts the caller's orders
	When   int64  // when they were appended, by the clock of the structure's upstream, in milliseconds since 1970
}

// OrderLasts is how long the result of an order is remembered at least, in milliseconds.
const OrderLasts = 60_000

// Expired reports whether the result of the order need not be remembered any longer.
func (id *OrderID) Expired(now int64) bool {
	return now-id.When > OrderLasts || id.When-now > OrderLasts
}

// ForgottenSince returns since when the result of the order need not be remembered, in milliseconds
// since 1970, or 0 if it still has to be. If When is so far after now that one of the clocks must be
// wrong, it returns the latest time there is.
func (id *OrderID) ForgottenSince(now int64) int64 {
	switch {
	case !id.Expired(now):
		return 0
	case id.When > now:
		return math.MaxInt64
	}
	return id.When + OrderLasts + 1
}

// Append appends the text of the id to dst: <caller>.<batch>.<when>.
func (id *OrderID) Append(dst []byte) []byte {
	dst = append(append(dst, id.Caller[:]...), '.')
	dst = strconv.AppendUint(dst, id.Batch, 10)
	return strconv.AppendInt(append(dst, '.'), id.When, 10)
}

// ParseOrderID parses an id at the beginning of text. rest is what follows it.
func ParseOrderID(text []byte) (id OrderID, rest []byte, ok bool) {
	if len(text) <= verbs.IDSize || text[verbs.IDSize] != '.' {
		return id, nil, false
	}
	copy(id.Caller[:], text)
	batch, text := digits(text[verbs.IDSize+1:])
	if len(text) == 0 || text[0] != '.' {
		return id, nil, false
	}
	when, rest := digits(text[1:])
	if id.Batch, ok = protocol.ParseUint(batch); !ok {
		return id, nil, false
	}
	id.When, ok = protocol.ParseInt(when)
	return id, rest, ok
}
