package wire

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving"
)

// The errors that a client gets.
const (
	unreached = "SERVER_ERROR the key moves to another server, and one of the two was not reached: nothing was changed; try again"
	unknown   = "SERVER_ERROR the key moves to another server, and one of the two did not answer: whether the request was carried out is unknown"
	busy      = "SERVER_ERROR the key moves to another server, and others change it at the same time: nothing was changed; try again"
	// Unconfirmed is for a change while the proxy does not know whether others still move keys.
	Unconfirmed = "SERVER_ERROR keys move to other servers, and this proxy can't reach any of them: nothing was changed; try again"
)

// Append appends to dst what the client gets that has sent asked. item is for [moving.Shows]; last, for [moving.Passes], is the reply to what
// was carried out, with its data.
func Append(dst []byte, asked *protocol.Request, a moving.Answer, item *moving.Item, last *protocol.Reply) []byte {
	switch a {
	case moving.Shows:
		return appendItem(dst, asked, item)
	case moving.Passes:
		return appendPassed(dst, asked, last)
	case moving.Misses:
		return appendStatus(dst, asked, missOf(asked))
	case moving.Exists:
		return appendStatus(dst, asked, "NOT_STORED")
	case moving.Removed:
		return appendStatus(dst, asked, "DELETED")
	case moving.Unknown:
		return append(append(dst, unknown...), "\r\n"...)
	case moving.Busy:
		return append(append(dst, busy...), "\r\n"...)
	}
	return append(append(dst, unreached...), "\r\n"...)
}

// missOf returns the word for a command on an item that is missing.
func missOf(asked *protocol.Request) string {
	switch {
	case asked.Command.Retrieval(), asked.Command == protocol.MetaGet:
		return "END"
	case modeOf(asked) != "":
		return "NOT_STORED"
	}
	return "NOT_FOUND"
}

// metaCodes are the codes of meta commands for the words of the others.
var metaCodes = map[string]string{
	"END": "EN", "STORED": "HD", "DELETED": "HD", "TOUCHED": "HD", "NOT_STORED": "NS", "NOT_FOUND": "NF", "EXISTS": "EX",
}

// appendStatus appends a reply without a value.
func appendStatus(dst []byte, asked *protocol.Request, word string) []byte {
	if !asked.Command.Meta() {
		return append(append(dst, word...), "\r\n"...)
	}
	return append(asked.AppendEchoes(append(dst, metaCodes[word]...), keyOf(asked)), "\r\n"...)
}

// keyOf returns the key as it is in replies.
func keyOf(asked *protocol.Request) []byte {
	if len(asked.Encoded) > 0 {
		return asked.Encoded
	}
	return asked.Key
}

// appendItem appends the reply to a retrieval that has found an item.
func appendItem(dst []byte, asked *protocol.Request, item *moving.Item) []byte {
	if asked.Command == protocol.MetaGet {
		return appendMetaItem(dst, asked, item)
	}
	dst = append(append(dst, "VALUE "...), asked.Key...)
	dst = strconv.AppendUint(append(dst, ' '), uint64(item.Flags), 10)
	dst = strconv.AppendInt(append(dst, ' '), int64(len(item.Data)), 10)
	if asked.Command == protocol.Gets || asked.Command == protocol.Gats {
		dst = strconv.AppendUint(append(dst, ' '), item.CAS, 10)
	}
	dst = append(append(append(dst, "\r\n"...), item.Data...), "\r\n"...)
	return append(dst, "END\r\n"...)
}

// appendMetaItem is appendItem for mg. Whether the item was read before, and when, is not known any more.
func appendMetaItem(dst []byte, asked *protocol.Request, item *moving.Item) []byte {
	withValue := asked.HasFlag('v')
	if dst = append(dst, "HD"...); withValue {
		dst = strconv.AppendInt(append(dst[:len(dst)-2], "VA "...), int64(len(item.Data)), 10)
	}
	for flag := range asked.MetaFlags() {
		switch flag[0] {
		case 'c':
			dst = strconv.AppendUint(append(dst, " c"...), item.CAS, 10)
		case 'f':
			dst = strconv.AppendUint(append(dst, " f"...), uint64(item.Flags), 10)
		case 'h':
			dst = append(dst, " h1"...)
		case 'k':
			dst = append(append(dst, " k"...), keyOf(asked)...)
		case 'b':
			dst = append(dst, " b"...)
		case 'l':
			dst = append(dst, " l0"...)
		case 'O':
			dst = append(append(dst, ' '), flag...)
		case 's':
			dst = strconv.AppendInt(append(dst, " s"...), int64(len(item.Data)), 10)
		case 't':
			dst = strconv.AppendInt(append(dst, " t"...), item.TTL, 10)
		}
	}
	if dst = append(dst, "\r\n"...); withValue {
		dst = append(append(dst, item.Data...), "\r\n"...)
	}
	return dst
}

// appendPassed appends the reply to what was carried out, in the words of the client's command.
func appendPassed(dst []byte, asked *protocol.Request, last *protocol.Reply) []byte {
	found := last.Kind == protocol.ReplyMetaValue || last.Kind == protocol.ReplyValue
	switch {
	case last.Kind == protocol.ReplyError:
	case found && (asked.Command == protocol.MetaGet || asked.Command.Retrieval()):
		item := ItemIn(last)
		return appendItem(dst, asked, &item)
	case asked.Command == protocol.MetaGet:
		return appendStatus(dst, asked, "END")
	case asked.Command.Meta() || last.Kind != protocol.ReplyMeta:
	default:
		return append(append(dst, wordOf(asked, last.Line)...), "\r\n"...)
	}
	dst = append(append(dst, last.Line...), "\r\n"...)
	if found {
		dst = append(append(dst, last.Data...), "\r\n"...)
	}
	if last.Kind == protocol.ReplyValue {
		dst = append(dst, "END\r\n"...)
	}
	return dst
}

// wordOf returns the word in which asked is answered, a storage command that was carried out by ms, or a touch by mg.
func wordOf(asked *protocol.Request, line []byte) string {
	touch := asked.Command == protocol.Touch
	switch code, _ := protocol.NextWord(line); {
	case string(code) == "HD" && touch:
		return "TOUCHED"
	case string(code) == "HD":
		return "STORED"
	case string(code) == "EX":
		return "EXISTS"
	case string(code) == "NF", touch:
		return "NOT_FOUND"
	}
	return "NOT_STORED"
}
