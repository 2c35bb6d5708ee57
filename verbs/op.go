package verbs

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// OpKind is an operation that a verb can ask of an upstream.
type OpKind uint8

const (
	// Fetch reads an item: Hit with its value, flags, CAS and time to live, or
	// Missing.
	Fetch OpKind = iota
	// Probe is Fetch without the value.
	Probe
	// Append appends to an item: Stored, or NotStored where there is no item
	// or where it would outgrow the limit. It never harms the item.
	Append
	// AppendOrCreate appends, or creates an item: Stored, or NotStored where
	// it would outgrow the limit. Only for upstreams of which
	// [Env.AppendCreates] says so; and if Data alone is above the limit of an
	// item, memcached deletes the item.
	AppendOrCreate
	// Add creates an item: Stored, or NotStored where there is one.
	Add
	// Swap replaces an item if its CAS is still the one given: Stored, Exists
	// if it is another, Missing if there is no item. As memcached deletes an
	// item that it was asked to replace by one too large, Data must not be
	// longer than what it replaces.
	Swap
	// Touch gives an item a new time to live: Stored, or Missing.
	Touch
)

// Op is one operation. Its slices stay valid until the routine is resumed.
type Op struct {
	Kind    OpKind
	Key     []byte
	Data    []byte
	Flags   uint32 // of Swap
	Exptime int64  // of AppendOrCreate, Add, Swap and Touch: as memcached takes it, in seconds
	CAS     uint64 // of Swap
}

// Command returns the protocol's command that carries out the operation.
func (o *Op) Command() protocol.Command {
	switch o.Kind {
	case Fetch, Probe, Touch:
		return protocol.MetaGet
	case Append:
		return protocol.Append
	case Add:
		return protocol.Add
	}
	return protocol.MetaSet
}

// AppendTo appends the request for the operation to dst.
func (o *Op) AppendTo(dst []byte) []byte {
	dst = append(dst, o.Command().String()...)
	dst = append(dst, ' ')
	dst = append(dst, o.Key...)
	switch o.Kind {
	case Fetch:
		return append(dst, " v c f t\r\n"...)
	case Probe:
		return append(dst, " c f t\r\n"...)
	case Touch:
		dst = strconv.AppendInt(append(dst, " T"...), o.Exptime, 10)
		return append(dst, "\r\n"...)
	case Append:
		dst = append(dst, " 0 0 "...)
		dst = strconv.AppendInt(dst, int64(len(o.Data)), 10)
	case Add:
		dst = append(dst, " 0 "...)
		dst = strconv.AppendInt(dst, o.Exptime, 10)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(len(o.Data)), 10)
	case AppendOrCreate:
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(len(o.Data)), 10)
		dst = append(dst, " MA N"...)
		dst = strconv.AppendInt(dst, o.Exptime, 10)
	case Swap:
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(len(o.Data)), 10)
		dst = append(dst, " C"...)
		dst = strconv.AppendUint(dst, o.CAS, 10)
		dst = append(dst, " F"...)
		dst = strconv.AppendUint(dst, uint64(o.Flags), 10)
		dst = append(dst, " T"...)
		dst = strconv.AppendInt(dst, o.Exptime, 10)
	}
	dst = append(dst, "\r\n"...)
	dst = append(dst, o.Data...)
	return append(dst, "\r\n"...)
}

// Status is the outcome of an operation.
type Status uint8

const (
	// Failed: it may or may not have happened; Err says why.
	Failed Status = iota
	// Stored: it has happened.
	Stored
	// NotStored, Exists and Missing: it has not; see the operations.
	NotStored
	Exists
	Missing
	// Hit: the item was read.
	Hit
)

// Reply is the outcome of an operation and what was read.
type Reply struct {
	Status Status
	Data   []byte // valid until the verb asks again
	Flags  uint32
	CAS    uint64
	TTL    int64  // seconds left, -1 for ever
	Err    string // after Failed: the line that tells the client, such as "SERVER_ERROR …"
}

// ParseReply reads the outcome of an operation from what the upstream said.
func ParseReply(r *protocol.Reply) Reply {
	word, rest := protocol.NextWord(r.Line)
	switch string(word) {
	case "VA":
		reply := Reply{Status: Hit, Data: r.Data}
		_, flags := protocol.NextWord(rest)
		reply.parseFlags(flags)
		return reply
	case "HD":
		reply := Reply{Status: Stored}
		if len(rest) > 0 { // what a Probe read; a change is answered without flags
			reply.Status = Hit
			reply.parseFlags(rest)
		}
		return reply
	case "STORED":
		return Reply{Status: Stored}
	case "NS", "NOT_STORED":
		return Reply{Status: NotStored}
	case "EX", "EXISTS":
		return Reply{Status: Exists}
	case "NF", "EN", "NOT_FOUND":
		return Reply{Status: Missing}
	case "SERVER_ERROR":
		return Reply{Err: string(r.Line)}
	}
	// Whatever it is, it is not the client's fault.
	return Reply{Err: "SERVER_ERROR the upstream answered: " + string(r.Line)}
}

// swappable reports whether a Swap of what r read can do what it should. A
// server that was told to keep no CAS gives 0 for one. An item that expires
// within the second cannot keep its time to live, as 0 means for ever.
func (r *Reply) swappable() bool { return r.CAS != 0 && r.TTL != 0 }

// longestRelative is the longest time to live, in seconds, that memcached
// takes for a relative one.
const longestRelative = 30 * 24 * 60 * 60

// exptime returns a time to live in seconds as memcached takes it. A relative
// time needs no clocks to agree, so that is what is sent if memcached takes it.
func exptime(ttl, now int64) int64 {
	if ttl > longestRelative {
		return now/1000 + ttl
	}
	return ttl
}

// parseFlags reads the flags that answer a meta get.
func (r *Reply) parseFlags(flags []byte) {
	for {
		var flag []byte
		if flag, flags = protocol.NextWord(flags); len(flag) == 0 {
			return
		}
		switch value := flag[1:]; flag[0] {
		case 'c':
			r.CAS, _ = protocol.ParseUint(value)
		case 'f':
			n, _ := protocol.ParseUint(value)
			r.Flags = uint32(n)
		case 't':
			r.TTL, _ = protocol.ParseInt(value)
		}
	}
}
