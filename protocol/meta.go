package protocol

import "bytes"

// The most flags that every version of memcached accepts. Given more on an ms, versions
// before 1.6.40 answer without reading the data block and then parse it as commands.
const (
	maxMetaFlags    = 17
	maxMetaSetFlags = 16
)

// manyWords is the most words, the name included, that the newest memcached accepts in
// a meta command other than ma.
const manyWords = 20

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
	b := p.buffers()
	b.line = append(b.line[:0], " b v"...)
	req.flags = b.line
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
	b := p.buffers()
	w := flagWriter{req: req, line: b.line[:0]}
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
	b.line, req.flags = w.line, w.line
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
