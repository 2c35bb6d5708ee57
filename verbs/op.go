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
	// Probe is Fetch without the value, but for its size.
	Probe
	// Append appends to an item: Stored, or NotStored where there is no item
	// or where it would outgrow the limit. It never harms the item.
	Append
	// AppendSized is Append that tells the size, as far as the upstream does,
	// but if Data alone is above the limit of an item, memcached deletes the
	// item. So it does after the next two.
	AppendSized
	// AppendOrCreate appends, or creates an item: Stored, or NotStored where
	// it would outgrow the limit. Only for upstreams of which
	// [Env.AppendCreates] says so.
	AppendOrCreate
	// AppendIf appends to an item if its CAS is still the one given: Stored, with the
	// new CAS as far as the upstream tells it; Exists if it is another, NotStored where there is no item or where it
	// would outgrow the limit.
	AppendIf
	// Add creates an item: Stored, or NotStored where there is one.
	Add
	// Swap replaces an item if its CAS is still the one given: Stored, Exists
	// if it is another, Missing if there is no item. As memcached deletes an
	// item that it was asked to replace by one too large, Data must not be
	// longer than what it replaces.
	Swap
	// Touch gives an item a new time to live: Stored, or Missing.
	Touch
	// Delete deletes an item: Stored, or Missing.
	Delete
	// DeleteIf deletes an item if its CAS is still the one given: Stored,
	// Exists if it is another, Missing if there is no item.
	DeleteIf
	// Pause is no operation: the call is to be resumed when others have had
	// their turn. Its reply does not matter.
	Pause
	// Elsewhere is none: Do is to be called, on any goroutine, and then the call is
	// to be resumed. Its reply does not matter.
	Elsewhere
	// Reserve is none either: the call needs room for so many bytes, with what
	// it has so far. Stored if they are there, and then what was read last stays
	// valid; NotStored if not. It is answered at once.
	Reserve
	// Await waits for such room: Stored, or Failed if it can't be had. Meanwhile
	// the call has no more than [Routine.Room] says.
	Await
	// Wait is for another call of the same loop: the call is to be resumed when that
	// calls Wake of Waiter, which whoever runs the routine sets first.
	Wait
)

// Local reports whether the operation is not for an upstream, but for whoever runs
// the routine. It is the only one then that the call waits for.
func (o *Op) Local() bool { return o.Kind >= Pause }

// Op is one operation. Its slices stay valid until the routine is resumed.
type Op struct {
	Kind    OpKind
	Key     []byte
	Of      []byte // the structure of which the item is a part, nil if Key is that of the structure; see [Op.RoutingKey]
	Data    []byte
	Flags   uint32 // of Swap
	Exptime int64  // of AppendOrCreate, Add, Swap and Touch: as memcached takes it, in seconds
	CAS     uint64 // of Swap, AppendIf and DeleteIf
	Do      func() // of Elsewhere
	Waiter  *Waiter
	Bytes   int // of Reserve and Await: for how many; of Fetch: longer values are of no use, 0 if there is no limit

	// Constant says that what is fetched is only ever created and deleted, so that
	// operations before and after it may overtake it.
	Constant bool

	// Known says that most of what is fetched is known already, so that there will be
	// little to do with it.
	Known bool

	// Epoch is that of the reply which told the CAS. An upstream that was
	// restarted since may give the same CAS to something else, so an operation
	// that depends on a CAS of another epoch is not carried out: it is
	// answered Exists.
	Epoch uint32
}

// RoutingKey returns the key that places the operation on an upstream: that of the
// structure, not of the item. So a structure lives on one server as a whole. Another
// that is down or restarts does it no harm.
func (o *Op) RoutingKey() []byte {
	if o.Of != nil {
		return o.Of
	}
	return o.Key
}

// Appends reports whether the operation appends whatever there is, so that it
// does no harm to delay it.
func (o *Op) Appends() bool { return o.Kind >= Append && o.Kind <= AppendOrCreate }

// Joins reports whether the operation and another on the same key can be
// carried out as one, with the data of both, and have the same reply.
func (o *Op) Joins(other *Op) bool {
	return o.Kind == other.Kind && o.Exptime == other.Exptime && (o.Kind == AppendSized || o.Kind == AppendOrCreate)
}

// depends reports whether the operation is carried out only if the item has
// not changed.
func (o *Op) depends() bool { return o.Kind == AppendIf || o.Kind == Swap || o.Kind == DeleteIf }

// Outdated reports whether the operation depends on a CAS of another epoch
// than the one given. Then it is not to be carried out.
func (o *Op) Outdated(epoch uint32) bool { return o.depends() && o.Epoch != epoch }

// Command returns the protocol's command that carries out the operation.
func (o *Op) Command() protocol.Command {
	switch o.Kind {
	case Fetch, Probe, Touch:
		return protocol.MetaGet
	case Append:
		return protocol.Append
	case Add:
		return protocol.Add
	case Delete, DeleteIf:
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
	case Add:
		dst = o.flag(dst, " 0 ", o.Exptime)
	}
	if !o.Command().Storage() {
		return append(o.appendFlags(dst), "\r\n"...)
	}
	dst = strconv.AppendInt(append(dst, ' '), int64(len(o.Data)), 10)
	dst = append(append(o.appendFlags(dst), "\r\n"...), o.Data...)
	return append(dst, "\r\n"...)
}

// Asked appends to dst what the reply has to be compared with, see
// [protocol.Check].
func (o *Op) Asked(dst []byte) []byte {
	if o.Command().Meta() {
		dst = o.appendFlags(append(dst, o.Key...))
	}
	return dst
}

// appendFlags appends the flags of a meta command. What is read is asked for with
// its key, so that it can't be taken for something else.
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
	// Dropped: the item was read and its value was not kept: because it is longer
	// than was asked for, or because several were asked for at once and there was
	// no room for all. Only Size says anything.
	Dropped
)

// Reply is the outcome of an operation and what was read.
type Reply struct {
	Status Status
	Data   []byte // valid until the verb asks again
	Copied bool   // Data is a copy that may be kept
	Flags  uint32
	CAS    uint64
	TTL    int64  // seconds left, -1 for ever
	Size   int    // of the item after Hit, and after some appends, in bytes; 0 if it is not known
	Grown  int    // by how much an append has made the item longer, along with what it was joined with; 0 if another is told
	Epoch  uint32 // see [Op]; not told by the upstream
	Err    string // after Failed: the line that tells the client, such as "SERVER_ERROR …"
}

// ParseReply reads the outcome of an operation of some kind from what the
// upstream said.
func ParseReply(kind OpKind, r *protocol.Reply) Reply {
	word, rest := protocol.NextWord(r.Line)
	switch string(word) {
	case "VA":
		reply := Reply{Status: Hit, Data: r.Data}
		_, flags := protocol.NextWord(rest)
		reply.parseFlags(flags)
		return reply
	case "HD":
		reply := Reply{Status: Stored}
		if kind == Probe {
			reply.Status = Hit
		}
		reply.parseFlags(rest)
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
		case 's':
			n, _ := protocol.ParseUint(value)
			r.Size = int(n)
		}
	}
}
