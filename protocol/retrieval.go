package protocol

import (
	"bytes"
	"math"
)

// keys reads one part of a retrieval from line. If it is not the first part, line has only keys.
// The part ends at end in the buffer, or earlier if it reaches [MaxKeys]; more says that the line
// continues after end. keys returns where the part ends.
func (p *Parser) keys(command Command, line []byte, end int, more bool, req *Request) int {
	req.Reset(command)
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
		// The whole line has arrived, so it is refused before any part of it is carried
		// out.
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

// stretch reads the next [MaxLine] bytes of a retrieval whose line is longer than that.
// Their keys become a part, except a last key that may continue after them.
func (p *Parser) stretch(command Command, line []byte, req *Request) (int, Status) {
	cut := bytes.LastIndexByte(line, ' ') + 1
	longKey := len(bytes.TrimSuffix(line[cut:], []byte("\r"))) > MaxKey // the \r may begin the line's end
	if longKey || bytes.IndexByte(line, 0) >= 0 {
		p.skipLine = true
		return len(line), p.refuseKeys(command, req)
	}
	return p.keys(command, line[:cut], cut, true, req), Ready
}

// refuseKeys refuses the rest of a retrieval.
func (p *Parser) refuseKeys(command Command, req *Request) Status {
	p.command = Unknown
	req.Reset(command)
	req.Refusal = errFormat
	return Ready
}

// takeExptime cuts the first argument of gat and gats off rest.
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

// room returns how many keys a part of a retrieval may hold, and how many bytes:
// memcached accepts a get of any length, but a gat only up to [MaxLine], including the
// words before the keys.
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

// takeKeys sets as many keys as the part may hold and returns the rest of the line.
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

// take sets the keys. length is their total length without the spaces.
func (r *Request) take(words []byte, length int) {
	length += max(r.NumWords-1, 0)
	if len(words) == length+1 && words[length] == ' ' {
		words = words[:length]
	}
	r.Words, r.single = words, len(words) == length
}

func keyTooLong(words []byte) bool {
	for key := range Words(words) {
		if len(key) > MaxKey {
			return true
		}
	}
	return false
}
