package protocol

import (
	"bytes"
	"iter"
	"strconv"
)

// How many flags memcached takes. With more on a meta set it answers before it
// has read the data block, and takes that for commands.
const (
	maxMetaFlags    = 17
	maxMetaSetFlags = 16
)

// metaSet reads <key> <bytes> <flags>* and returns the length of the data
// block, or -1 if it can't be told.
func (p *Parser) metaSet(rest []byte, req *Request) int {
	key, rest := NextWord(rest)
	length, flags := NextWord(rest)
	if len(key) == 0 {
		req.Refusal = errUnknown
		return -1
	}
	size, ok := parseLength(length)
	switch {
	case len(key) > MaxKey, len(length) == 0:
		req.Refusal = errFormat
		return size
	case CountWords(flags) > maxMetaSetFlags:
		req.Refusal = errFlags
		return size
	case !ok:
		req.Refusal = errFormat
		return size
	}
	req.Key = key
	if _, plain := ParseUint(length); !plain {
		flags = p.renumberMetaSet(size, flags, req)
	}
	p.metaFlags(flags, req)
	return size
}

// renumberMetaSet writes the line anew, with the length as it has been read.
// It returns the flags in it.
func (p *Parser) renumberMetaSet(size int, flags []byte, req *Request) []byte {
	line := append(append(p.line[:0], "ms "...), req.Key...)
	line = strconv.AppendInt(append(line, ' '), int64(size), 10)
	line = append(append(line, ' '), flags...)
	p.line, req.head = line, line
	return line[len(line)-len(flags):]
}

// meta reads <key> <flags>* of a meta command without a data block. memcached
// answers it once, whatever the flags are.
func (p *Parser) meta(rest []byte, req *Request) {
	key, flags := NextWord(rest)
	if len(key) == 0 {
		if req.Refusal = errUnknown; req.Command == MetaDebug {
			req.Refusal = errFormat
		}
		return
	}
	req.Key = key
	if req.Command == MetaDebug {
		if first, _ := NextWord(flags); string(first) == "b" { // its only flag
			p.decodeKey(req)
		}
		if holdsLineEnd(req) {
			req.Refusal = errLineEnd
		}
		return
	}
	p.metaFlags(flags, req)
}

// metaFlags looks at the flags that matter to a proxy: q, which is cut out of
// the line to forward, b, which says that the key is encoded, and N and k for
// their sake. Flags that memcached will refuse are left as they are.
func (p *Parser) metaFlags(flags []byte, req *Request) {
	found := scanFlags(flags)
	if found.encoded {
		p.decodeKey(req)
	}
	switch {
	case found.quiets == 0:
	case found.quiets > 1, found.given > maxMetaFlags, req.Command == MetaArithmetic && found.creates:
		req.Elusive = true
		return
	default:
		req.Quiet = true
		cutFlag(found.fromQuiet, req)
	}
	if found.keys == 1 && found.given <= maxMetaFlags && req.Command == MetaGet && holdsLineEnd(req) {
		p.withoutKey(flags, req)
	}
}

// MetaWords yields the words of a meta command behind its name as they were
// sent, but for q: the key, for ms the length, and the flags.
func (r *Request) MetaWords() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		_, rest := NextWord(r.head)
		for _, part := range [2][]byte{rest, r.tail} {
			for {
				var word []byte
				if word, part = NextWord(part); len(word) == 0 {
					break
				}
				if !yield(word) {
					return
				}
			}
		}
	}
}

// flagScan is what metaFlags wants to know of flags.
type flagScan struct {
	given, quiets, keys int // all flags, those that are q, those that are k
	encoded, creates    bool
	fromQuiet           []byte // the flags from the q on
}

func scanFlags(flags []byte) (found flagScan) {
	for {
		flag, rest := NextWord(flags)
		if len(flag) == 0 {
			return found
		}
		found.given++
		switch flag[0] {
		case 'q':
			found.quiets++
			found.fromQuiet = flags
		case 'k':
			found.keys++
		case 'b':
			found.encoded = true
		case 'N':
			found.creates = true
		}
		flags = rest
	}
}

// holdsLineEnd reports whether the key, which came in base64, has a line end
// in it.
func holdsLineEnd(req *Request) bool {
	return len(req.Encoded) > 0 && bytes.IndexByte(req.Key, '\n') >= 0
}

// cutFlag cuts the first word of rest, which is the end of the line, out of
// the line to forward.
func cutFlag(rest []byte, req *Request) {
	_, tail := NextWord(rest)
	req.head, req.tail = req.head[:len(req.head)-len(rest)], tail
}

// withoutKey writes the line anew, without the k flag and the q. memcached may
// answer k with the key as it is, and with a line end in it one answer would
// pass for several, of which some would seem to be for other clients. Where in
// the answer the key is to stand is noted.
func (p *Parser) withoutKey(flags []byte, req *Request) {
	line := append(append(p.line[:0], "mg "...), req.Encoded...)
	r := &KeyReturn{}
	for seen := false; ; {
		var flag []byte
		if flag, flags = NextWord(flags); len(flag) == 0 {
			break
		}
		switch flag[0] {
		case 'k':
			seen = true
			continue
		case 'q':
			continue
		case 'O':
			if !seen {
				r.AfterMiss++
			}
		}
		if !seen && bytes.IndexByte(echoing, flag[0]) >= 0 {
			r.AfterHit++
		}
		line = append(append(line, ' '), flag...)
	}
	p.line, req.head, req.tail = line, line, nil
	req.KeyReturn = r
}

// echoing are the flags of mg that put a word into the answer.
var echoing = []byte("cfhklOst")
