package protocol

import (
	"bytes"
	"encoding/base64"
)

// Check compares the units of one reply with the request that it should answer,
// one after another. An upstream whose replies have lost step with the requests
// is found out by it, before anybody is given what belongs to somebody else.
type Check struct {
	// Command is that of the request.
	Command Command
	// Asked is what [Request.Asked] returned for it: of a retrieval the keys that
	// have not been answered yet.
	Asked []byte
}

// Fits reports whether a unit may come next in the reply. It is to be called once
// for each.
func (k *Check) Fits(r *Reply) bool {
	if r.Kind == ReplyError {
		return true
	}
	switch c := k.Command; {
	case c.Retrieval():
		return r.Kind == ReplyEnd || r.Kind == ReplyValue && k.fitsValue(r)
	case c.Meta():
		return k.fitsMeta(r)
	}
	return fitsLine(k.Command, r)
}

// fitsValue reports whether a value may come next. An upstream leaves out the keys
// that it does not have, and gives the others in the order in which they were asked
// for.
func (k *Check) fitsValue(r *Reply) bool {
	if k.Command == Gets || k.Command == Gats {
		if _, ok := ParseUint(r.Tail); !ok {
			return false
		}
	} else if len(r.Tail) > 0 {
		return false
	}
	if rest, ok := cutWord(k.Asked, r.Key); ok && len(r.Key) > 0 { // it is the next, as most are
		k.Asked = rest
		return true
	}
	for {
		var key []byte
		if key, k.Asked = NextWord(k.Asked); len(key) == 0 {
			return false
		}
		if bytes.Equal(key, r.Key) {
			return true
		}
	}
}

// fitsLine is Fits for a command that is answered by lines without a key.
func fitsLine(c Command, r *Reply) bool {
	switch c {
	case Set, Add, Replace, Append, Prepend:
		return r.says("STORED") || r.says("NOT_STORED")
	case Cas:
		return r.says("STORED") || r.says("EXISTS") || r.says("NOT_FOUND") || r.says("NOT_STORED")
	case Delete:
		return r.says("DELETED") || r.says("NOT_FOUND")
	case Touch:
		return r.says("TOUCHED") || r.says("NOT_FOUND")
	case Incr, Decr:
		_, isNumber := ParseUint(r.Line)
		return isNumber || r.says("NOT_FOUND")
	case FlushAll:
		return r.says("OK")
	case MetaNoop:
		return r.says("MN")
	case Version:
		return r.Kind == ReplyVersion
	case Stats:
		return r.Kind == ReplyStat || r.Kind == ReplyEnd
	}
	return false
}

func (r *Reply) says(line string) bool { return string(r.Line) == line }

// metaCodes are the codes that each meta command can be answered with.
var metaCodes = [NumCommands]string{
	MetaGet:        "HD VA EN",
	MetaSet:        "HD NS EX NF",
	MetaDelete:     "HD NF EX",
	MetaArithmetic: "HD VA NF NS EX",
	MetaDebug:      "ME EN",
}

// fitsMeta reports whether a line with a code answers a meta command: whether it
// can have that code, has a value if one was asked for, and has no flags but those
// that return something and were asked for, in their order.
func (k *Check) fitsMeta(r *Reply) bool {
	code, rest := NextWord(r.Line)
	if len(code) != 2 || !bytes.Contains([]byte(metaCodes[k.Command]), code) {
		return false
	}
	key, flags := NextWord(k.Asked)
	switch string(code) {
	case "ME":
		_, ok := cutKey(rest, key, hasFlag(flags, 'b'))
		return ok
	case "VA":
		_, rest = NextWord(rest) // the length
	}
	if !k.fitsHit(r, code, flags) {
		return false
	}
	encoded := hasFlag(flags, 'b')
	for {
		var flag []byte
		if flag, flags = NextWord(flags); len(flag) == 0 {
			return fitsState(rest)
		}
		rest = cutAnswer(rest, flag, key, encoded)
	}
}

// fitsHit reports whether mg and ma, if they have found something, tell the value
// where it was asked for, and only there.
func (k *Check) fitsHit(r *Reply, code, flags []byte) bool {
	if k.Command != MetaGet && k.Command != MetaArithmetic {
		return true
	}
	withValue := string(code) == "VA"
	return !withValue && string(code) != "HD" || withValue == hasFlag(flags, 'v')
}

// cutAnswer takes what a flag has returned off the start of an answer. Where it has
// returned nothing, the answer stays as it is.
func cutAnswer(answer, flag, key []byte, encoded bool) []byte {
	word, rest := NextWord(answer)
	if len(word) == 0 || word[0] != flag[0] {
		return answer
	}
	switch flag[0] {
	case 'O':
		if bytes.Equal(word, flag) {
			return rest
		}
	case 'k':
		if rest, ok := cutKey(answer[1:], key, encoded); ok {
			return rest
		}
	case 'c', 'f', 'h', 'l', 's':
		if _, ok := ParseUint(word[1:]); ok {
			return rest
		}
	case 't':
		if _, ok := ParseInt(word[1:]); ok {
			return rest
		}
	}
	return answer
}

// cutKey takes the key off the start of an answer. However it was asked for, memcached
// shows it in base64, and says so, if it was stored so, and as it is if not.
func cutKey(answer, key []byte, encoded bool) (rest []byte, ok bool) {
	var room [MaxKey*4/3 + 4]byte
	plain, base := key, key
	if encoded {
		plain, _ = base64.StdEncoding.AppendDecode(room[:0], key)
	}
	if rest, ok = cutWord(answer, plain); ok {
		return rest, true
	}
	if !encoded {
		base = base64.StdEncoding.AppendEncode(room[:0], key)
	}
	if rest, ok = cutWord(answer, base); !ok {
		return answer, false
	}
	if flag, after := NextWord(rest); string(flag) == "b" {
		return after, true
	}
	return rest, true // me does not say so
}

// cutWord takes word, which may hold spaces, off the start of text.
func cutWord(text, word []byte) (rest []byte, ok bool) {
	n := len(word)
	switch {
	case len(text) < n || string(text[:n]) != string(word):
		return text, false
	case len(text) == n:
		return nil, true
	}
	return text[n+1:], text[n] == ' '
}

// fitsState reports whether what ends an answer is no more than what memcached
// says of the state of an item: W, X and Z.
func fitsState(answer []byte) bool {
	for word := range each(answer) {
		if len(word) != 1 || word[0] < 'W' || word[0] > 'Z' || word[0] == 'Y' {
			return false
		}
	}
	return true
}
