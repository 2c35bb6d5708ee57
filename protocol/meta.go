package protocol

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
)

// The most flags that every version of memcached accepts. Given more on an ms, versions
// before 1.6.40 answer without reading the data block and then parse it as commands.
const (
	maxMetaFlags    = 17
	maxMetaSetFlags = 16
)

// manyWords is the most words, the name included, that the newest memcached accepts in
// a meta command other than ma.
const manyWords = 20

// maxOpaque is the longest O flag that memcached accepts, in bytes including the
// letter.
const maxOpaque = 32

// metaSet reads <key> <bytes> <flags>* and returns the length of the data block, or -1
// if that is unknown.
func (p *Parser) metaSet(rest []byte, req *Request) int {
	key, rest := NextWord(rest)
	length, flags := NextWord(rest)
	size, ok := ParseLength(length)
	if !ok || len(key) > MaxKey {
		req.Refusal = errFormat
		return size
	}
	req.Key = key
	p.metaFlags(flags, 3, req)
	return size
}

// meta reads <key> <flags>* of a meta command without a data block.
func (p *Parser) meta(rest []byte, req *Request) {
	key, flags := NextWord(rest)
	if len(key) == 0 || len(key) > MaxKey {
		req.Refusal = errFormat
		if len(key) > 0 && req.Command == MetaArithmetic && !scanFlags(flags).spoilt {
			req.Refusal = errAnyFlag
		}
		return
	}
	req.Key = key
	if req.Command != MetaDebug {
		p.metaFlags(flags, 2, req)
		return
	}
	p.debugFlags(flags, req)
}

// debugFlags reads the flags of me, which knows only b, and only as the first flag. The
// newest memcached ignores b unless another flag follows, so one is added.
func (p *Parser) debugFlags(flags []byte, req *Request) {
	first, _ := NextWord(flags)
	if scanFlags(flags).spoilt {
		req.Refusal = errFormat
		return
	}
	if string(first) != "b" {
		return
	}
	p.decodeKey(req)
	req.flags = append(p.line[:0], " b v"...)
	p.line = req.flags
	switch {
	case len(req.Encoded) == 0:
		req.Refusal = errFormat
	case bytes.IndexByte(req.Key, '\n') >= 0:
		req.Refusal = errLineEnd
	}
}

// metaFlags reads the flags, which follow the first `before` words of the line, and
// formats them for forwarding. It refuses errors as the newest memcached does: a word
// that can't be a flag makes the whole line malformed; a duplicate or unknown letter
// ends the reading; of several bad values the last is reported.
func (p *Parser) metaFlags(flags []byte, before int, req *Request) {
	w := flagWriter{req: req, line: p.line[:0]}
	found := scanFlags(flags)
	switch {
	case found.spoilt:
		req.Refusal = errFormat
		return
	case before+found.count > manyWords && req.Command != MetaArithmetic:
		req.Refusal = errFlags
		return
	}
	if found.encoded {
		p.decodeKey(req)
		w.hidesKey = req.Command == MetaGet && bytes.IndexByte(req.Key, '\n') >= 0
	}
	w.writeAll(flags)
	p.line, req.flags = w.line, w.line
	most := maxMetaFlags
	if req.Command == MetaSet {
		most = maxMetaSetFlags
	}
	switch {
	case w.wrong != "" && req.Command == MetaArithmetic:
		req.Refusal = errAnyFlag
	case w.wrong != "":
		req.Refusal = w.wrong
	case w.badMode && req.Command == MetaSet:
		req.Refusal = errSetMode
	case w.badMode:
		req.Refusal = errCountMode
	case w.opaque:
		req.Refusal = errOpaque
	case w.written > most:
		req.Refusal = errFlags
	}
}

// flagScan is what metaFlags must know before it reads the flags one by one.
type flagScan struct {
	count   int
	spoilt  bool // a word can't be a flag: it begins with neither a digit nor a character from A to z
	encoded bool // b is among them
}

func scanFlags(flags []byte) (found flagScan) {
	begins := true
	for _, c := range flags {
		if c == ' ' {
			begins = true
			continue
		}
		if begins {
			found.count++
			found.spoilt = found.spoilt || (c < 'A' || c > 'z') && (c < '0' || c > '9')
			found.encoded = found.encoded || c == 'b'
		}
		begins = false
	}
	return found
}

// hasFlag reports whether a word of flags begins with letter.
func hasFlag(flags []byte, letter byte) bool {
	for i, b := range flags {
		if b == letter && (i == 0 || flags[i-1] == ' ') {
			return true
		}
	}
	return false
}

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

// flagSet is a set of flags, by the characters that flags begin with.
type flagSet [2]uint64

func (s *flagSet) add(letter byte)      { s[letter>>6&1] |= 1 << (letter & 63) }
func (s *flagSet) has(letter byte) bool { return s[letter>>6&1]&(1<<(letter&63)) != 0 }

// HasFlag reports whether a meta command has a flag, q included.
func (r *Request) HasFlag(letter byte) bool { return r.seen.has(letter) }

// MetaFlags yields the flags of a meta command as they are forwarded, each a letter
// and its value.
func (r *Request) MetaFlags() iter.Seq[[]byte] { return Words(r.flags) }
