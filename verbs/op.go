package verbs

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// OpKind is the kind of an operation that a verb can ask for.
type OpKind uint8

const (
	// Fetch reads an item: Hit with its value, flags, CAS and time to live, or
	// Missing.
	Fetch OpKind = iota
	// Probe is Fetch without the value, but with its size.
	Probe
	// Append appends to an item: Stored, or NotStored if there is no item or if it
	// would exceed the size limit. A refused append leaves the item alone.
	Append
	// AppendSized is Append that returns the new size if the upstream does. If Data alone exceeds
	// the size limit, or if memcached has no memory for Data and may not evict (its flag -M), it
	// deletes the item. The same holds for AppendOrCreate and AppendIf.
	AppendSized
	// AppendOrCreate appends, or creates an item: Stored, or NotStored if it would
	// exceed the size limit. Use it only if [Env.AppendCreates] says so.
	AppendOrCreate
	// AppendIf appends to an item if its CAS is still the one given: Stored, with the new CAS
	// if the upstream tells it; Exists if the CAS differs; NotStored if there is no item or it
	// would exceed the size limit.
	AppendIf
	// Add creates an item: Stored, or NotStored if there is one.
	Add
	// Swap replaces an item if its CAS is still the one given: Stored; Exists if the
	// CAS differs; Missing if there is no item. memcached deletes an item if its
	// replacement is too large, so Data must fit (see [Call.Fits]) unless it is no
	// longer than the old value. It also does if it has no memory for Data and may not
	// evict.
	Swap
	// Touch gives an item a new time to live: Stored, or Missing.
	Touch
	// Delete deletes an item: Stored, or Missing.
	Delete
	// DeleteIf deletes an item if its CAS is still the one given: Stored; Exists if the
	// CAS differs; Missing if there is no item.
	DeleteIf
	// Set stores an item, whether there is one or not: Stored.
	Set
	// Incr and Decr change the number that an item holds by Number, as memcached's incr and
	// decr do: Stored, with the new Number; Missing if there is no item; or Failed, with
	// memcached's CLIENT_ERROR if the item holds no number.
	Incr
	Decr
	// IncrOrCreate is Incr that creates an item that holds Number if there is none, and whose reply is
	// then Stored, too. It takes memcached 1.6.10.
	IncrOrCreate
	// DeleteEverywhere deletes an item of that key on every upstream of the pool: Stored, or Failed if one of them was not
	// reached. What that one has is deleted before it is used again, if the pool's settings say so.
	DeleteEverywhere
	// Pause and the kinds after it are local, see [Op.Local]. Pause suspends the call
	// until other requests have been served. Its reply is ignored.
	Pause
	// Elsewhere calls Do, on any goroutine, and resumes the call afterwards. Its reply
	// is ignored.
	Elsewhere
	// Reserve raises the memory that is reserved for the call to Bytes in total,
	// without waiting: Stored, and then the last replies stay valid; or NotStored if so
	// much is not free now.
	Reserve
	// Await waits until Bytes can be reserved: Stored, or Failed if that is refused.
	// While it waits, what [Routine.Reserved] says is reserved for the call.
	Await
	// BatchSlot waits until the call may send a batch of Number reads of parts of the structure Key. Each is
	// answered with about Bytes bytes, or with an unknown number if Bytes is negative. The batch is the
	// next operations that the call asks for. The reply is Stored.
	BatchSlot
	// Wait suspends the call until another call of the same event loop calls Wake of
	// Waiter, which the driver of the routine has set.
	Wait
)

// Local reports whether the operation is for the driver of the routine instead of an upstream. A
// call asks for a local operation alone.
func (o *Op) Local() bool { return o.Kind >= Pause }

// Place is an upstream at which items of a structure are, or may be. The zero value is the one that owns the structure.
type Place uint32

// Op is one operation. Its slices stay valid until the routine is resumed.
type Op struct {
	Kind    OpKind
	Key     []byte
	Of      []byte // key of the structure that the item is a part of; nil if Key is that key; see [Op.RoutingKey]
	Data    []byte
	Flags   uint32 // of Add, Set and Swap
	At      Place  // of Fetch and Probe: which upstream is asked
	Exptime int64  // of AppendOrCreate, Add, Set, Swap, Touch and IncrOrCreate, in seconds, with memcached's meaning
	Number  uint64 // of Incr, Decr, IncrOrCreate and BatchSlot
	CAS     uint64 // of Swap, AppendIf and DeleteIf
	Do      func() // of Elsewhere
	Waiter  *Waiter
	Bytes   int // of Reserve and Await: the memory in total; of Fetch: the longest useful value, 0 for no limit; of BatchSlot: see there

	// Constant says that the fetched item is never changed between its creation and its
	// deletion, so that other operations may overtake the fetch.
	Constant bool

	// Brief says that the reply to a fetch may lack the time to live. So the driver may send it as
	// a retrieval, or several as one, which takes memcached less time.
	Brief bool

	// Known says that most of the fetched value is known already, so that processing it
	// will be cheap.
	Known bool

	// Epoch is the epoch of the reply that the CAS came from. An upstream that has been
	// restarted since may use the same CAS for another value, so an operation with a
	// CAS of another epoch is not carried out: its reply is Exists.
	Epoch uint32
}

// RoutingKey returns the key that places the operation on an upstream: the key of the
// structure, not of the item. So a whole structure lives on one server, and it does not
// matter if another one is down or restarts.
func (o *Op) RoutingKey() []byte {
	if o.Of != nil {
		return o.Of
	}
	return o.Key
}

// Reads reports whether the operation changes nothing.
func (o *Op) Reads() bool { return o.Kind <= Probe }

// Beaten returns the reply to a change that is not carried out: the reply that it would have got if
// another call had been faster.
func (o *Op) Beaten() Reply {
	switch o.Kind {
	case Swap:
		return Reply{Status: Exists}
	case Touch, Delete, DeleteIf:
		return Reply{Status: Missing}
	}
	return Reply{Status: NotStored}
}

// Appends reports whether the operation appends unconditionally, so that delaying it is
// harmless.
func (o *Op) Appends() bool { return o.Kind >= Append && o.Kind <= AppendOrCreate }

// Joins reports whether the operation and another on the same key can be carried out as
// one with the data of both, so that one reply answers both.
func (o *Op) Joins(other *Op) bool {
	return o.Kind == other.Kind && o.Exptime == other.Exptime && (o.Kind == AppendSized || o.Kind == AppendOrCreate)
}

// depends reports whether the operation takes effect only if the item is unchanged.
func (o *Op) depends() bool { return o.Kind == AppendIf || o.Kind == Swap || o.Kind == DeleteIf }

// Outdated reports whether the operation depends on a CAS of an epoch other than the
// given one. Then it must not be carried out.
func (o *Op) Outdated(epoch uint32) bool { return o.depends() && o.Epoch != epoch }

// Command returns the protocol command that carries out the operation.
func (o *Op) Command() protocol.Command {
	switch o.Kind {
	case Fetch, Probe, Touch:
		return protocol.MetaGet
	case Append:
		return protocol.Append
	case Add:
		return protocol.Add
	case Set:
		return protocol.Set
	case Incr:
		return protocol.Incr
	case Decr:
		return protocol.Decr
	case IncrOrCreate:
		return protocol.MetaArithmetic
	case Delete, DeleteIf, DeleteEverywhere:
		return protocol.MetaDelete
	}
	return protocol.MetaSet
}

// AppendTo appends the request for the operation to dst.
func (o *Op) AppendTo(dst []byte) []byte {
	dst = append(dst, o.Command().String()...)
	dst = append(append(dst, ' '), o.Key...)
	switch o.Kind {
	case Append:
		dst = append(dst, " 0 0"...)
	case Add, Set:
		dst = o.flag(o.flag(dst, " ", int64(o.Flags)), " ", o.Exptime)
	}
	if !o.Command().Storage() {
		return append(o.appendFlags(dst), "\r\n"...)
	}
	dst = strconv.AppendInt(append(dst, ' '), int64(len(o.Data)), 10)
	dst = append(append(o.appendFlags(dst), "\r\n"...), o.Data...)
	return append(dst, "\r\n"...)
}

// Asked appends to dst what [protocol.Check] compares the reply with.
func (o *Op) Asked(dst []byte) []byte {
	if o.Command().Meta() {
		dst = o.appendFlags(append(dst, o.Key...))
	}
	return dst
}

// appendFlags appends the flags of a meta command. Reads ask for the key too, so that a
// value can't be mistaken for another one.
func (o *Op) appendFlags(dst []byte) []byte {
	switch o.Kind {
	case Fetch:
		return append(dst, " v c f t s k"...)
	case Probe:
		return append(dst, " c f t s k"...)
	case Touch:
		return o.flag(dst, " T", o.Exptime)
	case DeleteIf:
		return o.cas(dst)
	case Incr, Decr:
		return strconv.AppendUint(append(dst, ' '), o.Number, 10)
	case IncrOrCreate:
		dst = strconv.AppendUint(append(o.flag(dst, " N", o.Exptime), " J"...), o.Number, 10)
		return append(strconv.AppendUint(append(dst, " D"...), o.Number, 10), " v"...)
	case AppendSized:
		return append(dst, " MA s"...)
	case AppendOrCreate:
		return append(o.flag(append(dst, " MA"...), " N", o.Exptime), " s"...)
	case AppendIf:
		return append(o.cas(append(dst, " MA"...)), " s c"...)
	case Swap:
		return o.flag(o.flag(o.cas(dst), " F", int64(o.Flags)), " T", o.Exptime)
	}
	return dst
}

func (o *Op) flag(dst []byte, name string, value int64) []byte {
	return strconv.AppendInt(append(dst, name...), value, 10)
}

func (o *Op) cas(dst []byte) []byte {
	return strconv.AppendUint(append(dst, " C"...), o.CAS, 10)
}

// Status is the outcome of an operation.
type Status uint8

const (
	// Failed: whether the operation took effect is unknown; Err says why.
	Failed Status = iota
	// Stored: the operation took effect.
	Stored
	// NotStored, Exists and Missing: it did not; see the kinds of operations.
	NotStored
	Exists
	Missing
	// Hit: the item was read.
	Hit
	// Dropped: the item was read but its value was dropped, because it is longer than
	// Bytes, or because several items were fetched at once and memory was short. Only
	// Size is set.
	Dropped
)

// Reply is the outcome of an operation and the data it read.
type Reply struct {
	Status Status
	Data   []byte // valid until the verb asks again or lets others run, see [Reply.Keep]
	Copied bool   // Data is a copy that may be kept
	Flags  uint32
	CAS    uint64
	TTL    int64  // seconds left, -1 for ever
	Size   int    // of the item after Hit, and after some appends, in bytes; 0 if unknown
	Number uint64 // of the item after Incr, Decr and IncrOrCreate
	Grown  int    // bytes by which an append, with those joined to it, made the item longer; only one of the joined ones gets it, the others 0
	Epoch  uint32 // see [Op]; set by the proxy
	// Indirect says that the upstream is not memcached itself, or that nothing shows that it is. If it is another
	// proxy, memcached may be restarted behind it in one epoch, and then use the same CAS for another value.
	Indirect bool   // set by the proxy
	Err      string // after Failed: the line to answer the client with, such as "SERVER_ERROR …"
}

// IsDropped reports whether the reply has no data because there was no memory for it.
func (r Reply) IsDropped() bool { return r.Status == Dropped }

// Failure returns the line to answer the client with if the operation has failed, or if the reply makes no sense.
func (r *Reply) Failure() string {
	return cmp.Or(r.Err, "SERVER_ERROR unexpected answer from the upstream")
}

// Item describes the item that an answer was read from.
type Item struct {
	CAS uint64 // 0 if unknown, or if the answer came from several items
	TTL int64  // seconds left, -1 for ever
}

// Item returns the properties of the item that the reply has read.
func (r *Reply) Item() Item { return Item{CAS: r.CAS, TTL: r.TTL} }

// Keep copies the data unless it is a copy, so that it stays valid when the verb asks again or
// others run. There should be memory for it.
func (r *Reply) Keep() {
	if !r.Copied {
		r.Data, r.Copied = bytes.Clone(r.Data), true
	}
}

// ParseReply converts the upstream's reply to an operation of the given kind.
func ParseReply(kind OpKind, r *protocol.Reply) Reply {
	word, rest := protocol.NextWord(r.Line)
	switch string(word) {
	case "VA":
		if kind == IncrOrCreate {
			n, _ := protocol.ParseUint(r.Data)
			return Reply{Status: Stored, Number: n}
		}
		reply := Reply{Status: Hit, Data: r.Data}
		_, flags := protocol.NextWord(rest)
		reply.parseFlags(flags)
		return reply
	case "HD", "STORED":
		reply := Reply{Status: Stored}
		if kind == Probe {
			reply.Status = Hit
		}
		reply.parseFlags(rest)
		return reply
	case "NS", "NOT_STORED":
		return Reply{Status: NotStored}
	case "EX", "EXISTS":
		return Reply{Status: Exists}
	case "NF", "EN", "NOT_FOUND":
		return Reply{Status: Missing}
	case "SERVER_ERROR":
		return Reply{Err: string(r.Line)}
	}
	if kind == Incr || kind == Decr || kind == IncrOrCreate {
		if n, ok := protocol.ParseUint(word); ok {
			return Reply{Status: Stored, Number: n}
		}
		if string(word) == "CLIENT_ERROR" {
			return Reply{Err: string(r.Line)}
		}
	}
	// An error that is not the client's fault.
	return Reply{Err: "SERVER_ERROR the upstream answered: " + string(r.Line)}
}

// ParseValue converts a VALUE of the upstream's reply to a gets, line and data, which
// [protocol.ParseReply] has accepted, to the reply to a fetch. It does not tell the time to live.
func ParseValue(text []byte) Reply {
	var unit protocol.Reply
	protocol.ParseReply(text, &unit)
	r := Reply{Status: Hit, Data: unit.Data, Size: len(unit.Data)}
	n, _ := protocol.ParseUint(unit.Flags())
	r.Flags = uint32(n)
	r.CAS, _ = protocol.ParseUint(unit.Tail)
	return r
}

// parseFlags reads the flags returned by a meta command.
func (r *Reply) parseFlags(flags []byte) {
	for flag := range protocol.Words(flags) {
		switch value := flag[1:]; flag[0] {
		case 'c':
			r.CAS, _ = protocol.ParseUint(value)
		case 'f':
			n, _ := protocol.ParseUint(value)
			r.Flags = uint32(n)
		case 't':
			r.TTL, _ = protocol.ParseInt(value)
		case 's':
			n, _ := protocol.ParseUint(value)
			r.Size = int(n)
		}
	}
}
