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
	req.begin(command, line)
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
	if p.command == Unknown && req.NumWords == 0 && req.Refusal == "" && !withExptime {
		req.Refusal = errUnknown
	}
	if req.Refusal != "" {
		p.command, p.exptime = Unknown, nil
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
		p.command, p.exptime = command, bytes.Clone(req.Exptime)
	} else if !more {
		p.command, p.exptime = Unknown, nil
	}
	return end
}

// stretch reads the first bytes, as many as [MaxLine], of what is left of a
// retrieval longer than that. Its keys are yielded as a part, except one that
// may go on behind it.
func (p *Parser) stretch(command Command, line []byte, req *Request) (int, Status) {
	if i := bytes.IndexByte(line, 0); i >= 0 { // the line ends here, as memcached sees it
		end := p.keys(command, line[:i], len(line), false, req)
		p.skipLine = !req.More
		return end, Ready
	}
	cut := bytes.LastIndexByte(line, ' ') + 1
	if len(bytes.TrimSuffix(line[cut:], []byte("\r"))) > MaxKey { // that may be where the line ends
		p.command, p.exptime, p.skipLine = Unknown, nil, true
		*req = Request{Command: command, Refusal: errFormat}
		return len(line), Ready
	}
	return p.keys(command, line[:cut], cut, true, req), Ready
}

// maxExptime is the longest exptime taken, in bytes. It is repeated in front of
// each part of a retrieval, so zeros before it must not add up to a line.
const maxExptime = 32

// takeExptime takes the first argument of gat and gats off rest.
func takeExptime(rest []byte, req *Request) []byte {
	req.Exptime, rest = NextWord(rest)
	if len(req.Exptime) == 0 {
		req.Refusal = errUnknown
	} else if _, ok := ReadInt(req.Exptime); !ok || len(req.Exptime) > maxExptime {
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
	words := rest
	for {
		key, next := NextWord(rest)
		if len(key) == 0 {
			req.Words = words
			return nil
		}
		if len(key) > MaxKey {
			req.Refusal = errFormat
			req.Words = words[:len(words)-len(rest)]
			return nil
		}
		if req.NumWords == keys || req.NumWords > 0 && len(words)-len(next) > size {
			req.Words = words[:len(words)-len(rest)]
			return bytes.TrimLeft(rest, " ")
		}
		if req.NumWords++; req.NumWords == 1 {
			req.Key = key
		}
		rest = next
	}
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
