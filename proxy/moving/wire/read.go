package wire

import (
	"bytes"
	"strings"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving"
)

// Read returns what a server has replied to an operation of a client's command. reply is one unit of a reply. The item refers to it.
func Read(asked *protocol.Request, op moving.Operation, reply *protocol.Reply) (r moving.Reply) {
	r.Outcome = outcomeOf(asked, reply)
	if reply.Kind == protocol.ReplyValue || reply.Kind == protocol.ReplyMetaValue || reply.Kind == protocol.ReplyMeta {
		r.Item = ItemIn(reply)
		r.Placeholder = IsPlaceholder(r.Item.Data)
	}
	if op.Do == moving.Look && isStale(reply) { // nobody is to take it for a fresh one
		r.Outcome = moving.Absent
	}
	return r
}

// IsPlaceholder reports whether data is that of a placeholder, or of what was made of one by an append.
func IsPlaceholder(data []byte) bool {
	return len(data) >= len(moving.Placeholder) && (bytes.HasPrefix(data, []byte(moving.Placeholder)) || bytes.HasSuffix(data, []byte(moving.Placeholder)))
}

func outcomeOf(asked *protocol.Request, reply *protocol.Reply) moving.Outcome {
	if reply.Kind == protocol.ReplyError {
		return moving.Refused
	}
	word, _ := protocol.NextWord(reply.Line)
	switch string(word) {
	case "END", "EN", "NF", "NOT_FOUND":
		return moving.Absent
	case "EX", "EXISTS":
		return moving.Changed
	case "NS", "NOT_STORED":
		if modeOf(asked) != "" {
			return moving.Absent
		}
		return moving.Present
	}
	return moving.Done
}

// ItemIn returns the item in a reply, as far as the reply tells.
func ItemIn(reply *protocol.Reply) (i moving.Item) {
	i.Data = reply.Data
	if i.TTL = moving.Never; reply.Kind == protocol.ReplyValue {
		flags, _ := protocol.ParseUint(reply.Flags())
		i.Flags = uint32(flags)
		i.CAS, _ = protocol.ParseUint(bytes.TrimSpace(reply.Tail))
		return i
	}
	for word := range flagsIn(reply) {
		switch word[0] {
		case 'f':
			flags, _ := protocol.ParseUint(word[1:])
			i.Flags = uint32(flags)
		case 'c':
			i.CAS, _ = protocol.ParseUint(word[1:])
		case 't':
			if ttl, ok := protocol.ParseInt(word[1:]); ok && ttl >= 0 {
				i.TTL = ttl
			}
		}
	}
	return i
}

// flagsIn yields the flags of a reply to a meta command.
func flagsIn(reply *protocol.Reply) func(func([]byte) bool) {
	_, rest := protocol.NextWord(reply.Line)
	if reply.Kind == protocol.ReplyMetaValue {
		_, rest = protocol.NextWord(rest)
	}
	return protocol.Words(rest)
}

// isStale reports whether a reply to mg is about an item that is marked as stale.
func isStale(reply *protocol.Reply) bool {
	if reply.Kind != protocol.ReplyMetaValue {
		return false
	}
	for word := range flagsIn(reply) {
		if len(word) == 1 && strings.IndexByte("WXZ", word[0]) >= 0 {
			return true
		}
	}
	return false
}
