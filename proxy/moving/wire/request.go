package wire

import (
	"strconv"
	"strings"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving"
)

// Looks says what a look has to find out.
type Looks uint8

const (
	// Plainly is for what a plain get tells, which changes nothing on the server.
	Plainly Looks = iota
	// Wholly is for everything, the time to live too.
	Wholly
)

// LookFor returns what a look has to find out for a command: of one that asks for the time to live, and of an item that is to be moved, as it
// may be on the old server, everything.
func LookFor(asked *protocol.Request, op moving.Operation, p moving.Phase) Looks {
	switch {
	case op.At == moving.Old && p != moving.Both, len(asked.Encoded) > 0:
		return Wholly
	case asked.Command == protocol.MetaGet && (asked.HasFlag('t') || asked.HasFlag('T')):
		return Wholly
	}
	return Plainly
}

// Request sets out to the request that carries out an operation of a client's command, which asked is. item is what is to be stored by
// [moving.Fill]. out refers to what asked and item refer to.
func Request(out, asked *protocol.Request, op moving.Operation, looks Looks, item *moving.Item) {
	switch op.Do {
	case moving.Look:
		look(out, asked, looks)
	case moving.Reserve:
		meta(out, asked, protocol.MetaSet, " ME T"+strconv.Itoa(moving.PlaceholderTTL)+" c")
		out.Data = []byte(moving.Placeholder)
	case moving.Fill:
		meta(out, asked, protocol.MetaSet, " c F"+strconv.FormatUint(uint64(item.Flags), 10)+ttlFlag(item.TTL)+casFlag(op.If))
		out.Data = item.Data
	case moving.Delete:
		meta(out, asked, protocol.MetaDelete, casFlag(op.If))
	default:
		act(out, asked, op)
	}
}

// act sets out to the client's command itself, on a condition if the operation has one.
func act(out, asked *protocol.Request, op moving.Operation) {
	switch {
	case op.If == 0 && asked.Command == protocol.Touch:
		meta(out, asked, protocol.MetaGet, " c T"+strconv.FormatInt(asked.Exptime, 10))
	case op.If == 0 && asked.Command == protocol.MetaGet:
		flags := " v f c t"
		if exptime := asked.MetaFlag('T'); exptime != nil {
			flags += " T" + string(exptime)
		}
		meta(out, asked, protocol.MetaGet, flags)
	case asked.Command == protocol.MetaArithmetic && op.Do == moving.Act: // which creates no item
		meta(out, asked, asked.Command, flagsBut(asked, "NJb"))
	case op.If == 0 || !asked.Command.Storage():
		*out = *asked
		out.Quiet = false
	case asked.Command == protocol.MetaSet:
		meta(out, asked, protocol.MetaSet, flagsBut(asked, "CMb")+modeOf(asked)+casFlag(op.If))
		out.Data = asked.Data
	default:
		flags := modeOf(asked)
		if flags == "" || asked.Command == protocol.Replace {
			flags += " F" + strconv.FormatUint(uint64(asked.Flags), 10) + " T" + strconv.FormatInt(asked.Exptime, 10)
		}
		meta(out, asked, protocol.MetaSet, flags+casFlag(op.If))
		out.Data = asked.Data
	}
}

// flagsBut returns the flags of a meta command but those of some letters.
func flagsBut(asked *protocol.Request, letters string) (flags string) {
	for flag := range asked.MetaFlags() {
		if strings.IndexByte(letters, flag[0]) < 0 {
			flags += " " + string(flag)
		}
	}
	return flags
}

// modeOf returns the flag for what a storage command does with an item that is there. An add in place of a placeholder is a set.
func modeOf(asked *protocol.Request) string {
	switch {
	case asked.Command == protocol.Append, asked.Mode == 'A', asked.Mode == 'a':
		return " MA"
	case asked.Command == protocol.Prepend, asked.Mode == 'P', asked.Mode == 'p':
		return " MP"
	case asked.Command == protocol.Replace, asked.Mode == 'R', asked.Mode == 'r':
		return " MR"
	}
	return ""
}

// look sets out to a request for an item.
func look(out, asked *protocol.Request, looks Looks) {
	if looks == Wholly {
		meta(out, asked, protocol.MetaGet, " v f c t")
		return
	}
	out.SetRetrieval(protocol.Gets, asked.Key, 1, true)
}

// meta sets out to a meta command on the key of asked.
func meta(out, asked *protocol.Request, c protocol.Command, flags string) {
	if len(asked.Encoded) > 0 {
		flags += " b"
	}
	out.SetMeta(c, asked.Key, asked.Encoded, []byte(flags))
}

func casFlag(cas uint64) string {
	if cas == 0 {
		return ""
	}
	return " C" + strconv.FormatUint(cas, 10)
}

// longestTTL is the longest time to live that memcached takes for one, in seconds; more is a date.
const longestTTL = 30 * 24 * 60 * 60

func ttlFlag(ttl int64) string {
	switch {
	case ttl == moving.Never:
		return ""
	case ttl > longestTTL:
		ttl += time.Now().Unix()
	}
	return " T" + strconv.FormatInt(max(1, ttl), 10)
}
