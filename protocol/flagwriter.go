package protocol

import (
	"bytes"
	"strconv"
	"strings"
)

// flagWriter reads flags and formats them for forwarding.
type flagWriter struct {
	req      *Request
	line     []byte // the formatted flags, each preceded by a space
	written  int
	wrong    string // memcached's error for them, if any
	opaque   bool   // the O flag is too long
	badMode  bool
	hidesKey bool // k is not forwarded, see KeyReturn
}

func (w *flagWriter) writeAll(flags []byte) {
	for i := 0; i < len(flags); i++ {
		letter, start := flags[i], i+1
		if letter == ' ' {
			continue
		}
		for i+1 < len(flags) && flags[i+1] != ' ' {
			i++
		}
		if w.req.seen.has(letter) {
			w.wrong = errDuplicate
			return
		}
		w.req.seen.add(letter)
		if !w.write(letter, flags[start:i+1]) {
			w.wrong = errFlag
			return
		}
	}
}

// write writes one flag. It returns false if memcached has no such flag.
func (w *flagWriter) write(letter byte, value []byte) bool {
	switch letter {
	case 'c', 'f', 'h', 'I', 'l', 's', 't', 'u', 'v', 'x':
		w.put(letter)
	case 'k':
		w.key()
	case 'b':
		w.put(letter)
		if len(w.req.Encoded) == 0 {
			w.wrong = errDecode
		}
	case 'q':
		w.req.Quiet = true
	case 'O':
		w.opaque = len(value)+1 > maxOpaque
		w.word(letter, value)
	case 'L', 'P': // meant for proxies; memcached ignores them
		w.word(letter, value)
	case 'M':
		w.mode(value)
	case 'N', 'R', 'T':
		n, ok := parseInt32(value)
		w.put(letter)
		w.line = strconv.AppendInt(w.line, n, 10)
		w.check(ok, errToken)
	case 'C', 'E':
		w.number(letter, value, errToken)
	case 'J':
		w.number(letter, value, errInitial)
	case 'D':
		w.number(letter, value, errDelta)
	case 'F':
		n, ok := parseUint32(value)
		w.put(letter)
		w.line = strconv.AppendUint(w.line, uint64(n), 10)
		if !ok && w.wrong == "" { // memcached has no message of its own for this one
			w.wrong = errFormat
		}
	default:
		return false
	}
	return true
}

// put writes the letter of a flag.
func (w *flagWriter) put(letter byte) {
	w.line = append(w.line, ' ', letter)
	w.written++
}

func (w *flagWriter) word(letter byte, value []byte) {
	w.put(letter)
	w.line = append(w.line, value...)
}

func (w *flagWriter) number(letter byte, value []byte, wrong string) {
	n, ok := ParseUint(value)
	w.put(letter)
	w.line = strconv.AppendUint(w.line, n, 10)
	w.check(ok, wrong)
}

func (w *flagWriter) check(ok bool, wrong string) {
	if !ok {
		w.wrong = wrong
	}
}

// mode writes an M flag, of which only the first character counts. mg and md ignore it,
// so it is dropped.
func (w *flagWriter) mode(value []byte) {
	known := "SEARP"
	switch w.req.Command {
	case MetaArithmetic:
		known = "I+D-"
	case MetaGet, MetaDelete:
		return
	}
	w.word('M', value[:min(1, len(value))])
	if w.badMode = len(value) == 0 || strings.IndexByte(known, value[0]) < 0; !w.badMode {
		w.req.Mode = value[0]
	}
}

// key writes a k flag. If k is not forwarded, it counts the words that precede the key
// in the reply instead.
func (w *flagWriter) key() {
	if !w.hidesKey {
		w.put('k')
		return
	}
	r := &KeyReturn{}
	for flag := range Words(w.line) {
		if bytes.IndexByte(echoing, flag[0]) >= 0 {
			r.AfterHit++
		}
		if flag[0] == 'O' {
			r.AfterMiss++
		}
	}
	w.req.KeyReturn = r
}

// echoing are the flags of mg that add a word to the reply.
var echoing = []byte("cfhklOst")

// maxOpaque is the longest O flag that memcached accepts, in bytes including the
// letter.
const maxOpaque = 32
