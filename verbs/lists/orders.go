package lists

import (
	"bytes"
	"math"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Pops and trims that lose every race against changes by others are given as orders, see
// [structure.Order]:
//
//	l~<id>.(<n>            removes the first n elements
//	l~<id>.)<n>            removes the last n elements
//	l~<id>.<from>:<to>     removes all elements but those from one place to another
//
// The elements that the first two have removed are remembered under the id. In a log that was
// folded, that is
//
//	l=<id>  l:v  l:w       the order with this id has removed v and w; elements with data follow l+:

// order is a parsed order.
type order struct {
	id          format.OrderID
	side        byte  // of pops: removeFirst or removeLast; else 0
	count       int   // of pops
	start, stop int64 // of others, as ltrim has them
}

// parseOrder parses an order, without its letter and sign.
func parseOrder(text []byte) (o order, ok bool) {
	o.id, text, ok = format.ParseOrderID(text)
	if !ok || len(text) < len(".(1") || text[0] != '.' {
		return o, false
	}
	if o.side = text[1]; o.side == removeFirst || o.side == removeLast {
		count, ok := protocol.ParseUint(text[2:])
		o.count = int(min(count, math.MaxInt32))
		return o, ok
	}
	o.side = 0
	start, stop, _ := bytes.Cut(text[1:], []byte{':'})
	var from, to bool
	o.start, from = protocol.ParseInt(start)
	o.stop, to = protocol.ParseInt(stop)
	return o, from && to
}

// appendPop appends an order to remove elements at one end.
func appendPop(dst []byte, id *format.OrderID, side byte, count int) []byte {
	dst = id.Append(append(dst, letter, signOrder))
	return append(strconv.AppendInt(append(dst, '.', side), int64(count), 10), ' ')
}

// appendTrim appends an order to remove all but the places in words.
func appendTrim(dst []byte, id *format.OrderID, words []byte) []byte {
	start, rest := protocol.NextWord(words)
	stop, _ := protocol.NextWord(rest)
	dst = id.Append(append(dst, letter, signOrder))
	dst = append(append(dst, '.'), start...)
	return append(append(append(dst, ':'), stop...), ' ')
}
