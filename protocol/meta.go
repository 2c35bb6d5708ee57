package protocol

import "iter"

// maxMetaFlags is how many flags memcached takes on a meta set. With more it
// answers before it has read the data block, and takes that for commands.
const maxMetaFlags = 16

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
	if !ok || len(key) > MaxKey {
		req.Refusal = errFormat
		return size
	}
	req.Key = key
	p.metaFlags(flags, req)
	if req.Refusal == "" && CountWords(flags) > maxMetaFlags {
		req.Refusal = errFlags
	}
	return size
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
	p.metaFlags(flags, req)
}

// metaFlags looks for the two flags that matter to a proxy: q, which is cut
// out of the line to forward, and b, which says that the key is encoded.
func (p *Parser) metaFlags(flags []byte, req *Request) {
	line, encoded := req.head, false
	for {
		flag, rest := NextWord(flags)
		if len(flag) == 0 {
			break
		}
		switch flag[0] {
		case 'q':
			if req.Command == MetaDebug {
				break // which has no flags
			}
			if req.Quiet {
				req.Refusal = errDuplicate
				return
			}
			req.Quiet = true
			cut := len(flag) + len(rest)
			if rest != nil {
				cut++ // the space that NextWord took
			}
			req.head, req.tail = line[:len(line)-cut], rest
		case 'b':
			encoded = true
		}
		flags = rest
	}
	if encoded {
		p.decodeKey(req)
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
