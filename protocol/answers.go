package protocol

import (
	"bytes"
	"encoding/base64"
)

// Check compares the units of one reply, one after another, with the request that it should answer.
// So the proxy notices an upstream whose replies are out of step with the requests before a client
// gets another client's reply.
type Check struct {
	// Command is the command of the request.
	Command Command
	// Asked starts as what [Request.Asked] returned. For a retrieval, Fits advances it
	// past the keys that were answered.
	Asked []byte
}

// Fits reports whether r may be the next unit of the reply. Call it once for each unit,
// in order.
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

// fitsValue reports whether a value may come next. An upstream omits keys it does not
// have and returns the others in the order of the request.
func (k *Check) fitsValue(r *Reply) bool {
	if k.Command == Gets || k.Command == Gats {
		if _, ok := ParseUint(r.Tail); !ok {
			return false
		}
	} else if len(r.Tail) > 0 {
		return false
	}
	if rest, ok := cutWord(k.Asked, r.Key); ok && len(r.Key) > 0 { // the usual case: the next key
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

// metaCodes are the return codes that each meta command can have.
var metaCodes = [NumCommands]string{
	MetaGet:        "HD VA EN",
	MetaSet:        "HD NS EX NF",
	MetaDelete:     "HD NF EX",
	MetaArithmetic: "HD VA NF NS EX",
	MetaDebug:      "ME EN",
}

// fitsMeta reports whether a meta reply fits the command: its return code is one of
// that command, it has a value exactly if one was asked for, and its flags are among
// those asked for, in the same order, followed by at most W, X and Z. A hit has the key if
// that was asked for; a miss lacks it in some versions of memcached. The value of ma is a number.
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
	encoded, hit := hasFlag(flags, 'b'), string(code) == "HD" || string(code) == "VA"
	for flag := range Words(flags) {
		after := cutAnswer(rest, flag, key, encoded)
		if hit && flag[0] == 'k' && len(after) == len(rest) {
			return false
		}
		rest = after
	}
	return fitsState(rest)
}

// fitsHit reports whether a hit of mg or ma has a value exactly if one was asked for, and whether the value of an
// ma is a number. A value of which only a part has arrived is too long to be a number.
func (k *Check) fitsHit(r *Reply, code, flags []byte) bool {
	if k.Command != MetaGet && k.Command != MetaArithmetic {
		return true
	}
	withValue := string(code) == "VA"
	if withValue && k.Command == MetaArithmetic {
		if _, isNumber := ParseUint(r.Data); !isNumber {
			return false
		}
	}
	return !withValue && string(code) != "HD" || withValue == hasFlag(flags, 'v')
}

// cutAnswer cuts the word that flag returned off the start of answer. It returns answer
// unchanged if flag returned nothing.
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

// cutKey cuts the key off the start of answer. Whichever form the request had,
// memcached shows the key in base64, followed by the flag b, if the item was stored
// with a key in base64, and raw otherwise.
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
	return rest, true // me returns base64 without the flag b
}

// cutWord cuts word, which may contain spaces, off the start of text.
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

// fitsState reports whether the rest of answer consists only of the flags by which
// memcached tells the state of an item: W, X and Z.
func fitsState(answer []byte) bool {
	for word := range Words(answer) {
		if len(word) != 1 || word[0] < 'W' || word[0] > 'Z' || word[0] == 'Y' {
			return false
		}
	}
	return true
}
