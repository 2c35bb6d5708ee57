package protocol

import (
	"bytes"
	"math"
)

// keys reads the keys of a retrieval from line: all of it, or the keys alone
// if the line began in an earlier part. The part ends at end in the buffer; if
// more is set the line goes on behind it. It is cut earlier where it has
// reached [MaxKeys]. keys returns where the part ends.
func (p *Parser) keys(command Command, line []byte, end int, more bool, req *Request) int {
	req.begin(command)
	req.Exptime = p.exptime
	rest := line
	withExptime := command == Gat || command == Gats
	if p.command == Unknown {
		if _, rest = NextWord(line); withExptime {
			rest = takeExptime(rest, req)
		}
	}
	if req.Refusal == "" {
		rest = p.takeKeys(rest, req)
	}
	if p.command == Unknown && req.NumWords == 0 && req.Refusal == "" && !more {
		req.Refusal = errFormat
	}
	if req.Refusal != "" {
		p.command = Unknown
		p.skipLine = more
		return end
	}
	if len(rest) > 0 && p.command == Unknown && !more && keyTooLong(rest) {
		// The whole line is at hand, so this is known before it is begun.
		req.Refusal = errFormat
		return end
	}
	if len(rest) > 0 {
		more, end = true, len(line)-len(rest)
	}
	req.More = more
	if more && p.command == Unknown {
		p.command, p.exptime = command, req.Exptime
	} else if !more {
		p.command = Unknown
	}
	return end
}

// stretch reads the first bytes, as many as [MaxLine], of what is left of a
// retrieval longer than that. Its keys are yielded as a part, except one that
// may go on behind it.
func (p *Parser) stretch(command Command, line []byte, req *Request) (int, Status) {
	cut := bytes.LastIndexByte(line, ' ') + 1
	longKey := len(bytes.TrimSuffix(line[cut:], []byte("\r"))) > MaxKey // that may be where the line ends
	if longKey || bytes.IndexByte(line, 0) >= 0 {
		p.skipLine = true
		return len(line), p.refuseKeys(command, req)
	}
	return p.keys(command, line[:cut], cut, true, req), Ready
}

// refuseKeys refuses the rest of a retrieval.
func (p *Parser) refuseKeys(command Command, req *Request) Status {
	p.command = Unknown
	req.begin(command)
	req.Refusal = errFormat
	return Ready
}

// takeExptime takes the first argument of gat and gats off rest.
func takeExptime(rest []byte, req *Request) []byte {
	word, rest := NextWord(rest)
	key, _ := NextWord(rest)
	var ok bool
	if req.Exptime, ok = parseInt32(word); len(key) == 0 {
		req.Refusal = errFormat
	} else if !ok {
		req.Refusal = errExptime
	}
	return rest
}

// room returns how many keys a part of a retrieval may hold, and how many
// bytes: memcached reads a get of any length, but a gat only up to [MaxLine],
// with the words that come before the keys.
func (p *Parser) room(command Command) (keys, size int) {
	keys, size = p.MaxKeys, math.MaxInt
	if keys <= 0 || keys > MaxKeys {
		keys = MaxKeys
	}
	if command == Gat || command == Gats {
		size = MaxLine / 2
	}
	return keys, size
}

// takeKeys fills in as many keys as there is room for and returns what is left
// of the line.
func (p *Parser) takeKeys(rest []byte, req *Request) []byte {
	keys, size := p.room(req.Command)
	words, length := rest, 0
	for {
		key, next := NextWord(rest)
		switch {
		case len(key) == 0:
			req.take(words, length)
			return nil
		case len(key) > MaxKey:
			req.Refusal = errFormat
			req.take(words[:len(words)-len(rest)], length)
			return nil
		case req.NumWords == keys, req.NumWords > 0 && len(words)-len(next) > size:
			req.take(words[:len(words)-len(rest)], length)
			return bytes.TrimLeft(rest, " ")
		}
		if req.NumWords++; req.NumWords == 1 {
			req.Key = key
		}
		length += len(key)
		rest = next
	}
}

// take sets the keys, which have so many bytes without the spaces.
func (r *Request) take(words []byte, length int) {
	length += max(r.NumWords-1, 0)
	if len(words) == length+1 && words[length] == ' ' {
		words = words[:length]
	}
	r.Words, r.single = words, len(words) == length
}

func keyTooLong(words []byte) bool {
	for {
		key, rest := NextWord(words)
		if len(key) == 0 {
			return false
		}
		if len(key) > MaxKey {
			return true
		}
		words = rest
	}
}
