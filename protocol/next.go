package protocol

import (
	"bytes"
	"fmt"
)

// shortestLine is the length in bytes, including the line end, below which the newest
// memcached refuses a line as malformed. Only "mn" is accepted here with a line end of
// one byte.
const shortestLine = 4

// Next reads one request from the start of buf. It returns how many bytes it consumed,
// whatever the status, and fills in req if the status is Ready or Broken. After
// Partial, call again with the unconsumed bytes followed by more.
func (p *Parser) Next(buf []byte, req *Request) (n int, status Status) {
	if len(buf) < p.Need {
		return 0, Partial
	}
	p.Need = 0
	if p.Swallowing() {
		n = p.swallow(buf)
		buf = buf[n:]
	}
	if len(buf) == 0 {
		return n, Partial
	}
	used := 0
	if end := p.lineEnd(buf, MaxLine); end > 0 {
		used, status = p.wholeLine(buf, end, req)
	} else if len(buf) >= MaxLine {
		used, status = p.longLine(buf, req)
	}
	if status != Partial {
		p.scanned = 0
	}
	return n + used, status
}

// GiveUp refuses the request being received, of which buf is the start, instead of
// waiting for the rest of its data; that rest is skipped when it arrives. It returns
// how many bytes of buf it consumed, and false if the line is not complete yet: then
// the stream can't be continued.
func (p *Parser) GiveUp(buf []byte, req *Request) (n int, ok bool) {
	most := p.MaxData
	p.MaxData, p.Need = -1, 0
	n, status := p.Next(buf, req)
	p.MaxData = most
	if status != Ready || p.skip == 0 {
		return n, false
	}
	req.RefuseForMemory()
	return n, true
}

// longLine handles a line of more than MaxLine bytes. The outcome must not depend on
// whether the line's end has arrived.
func (p *Parser) longLine(buf []byte, req *Request) (int, Status) {
	if p.command != Unknown {
		return p.stretch(p.command, buf[:MaxLine], req)
	}
	word, rest := NextWord(buf[:MaxLine])
	command, verb := p.lookup(word)
	switch {
	case rest == nil, buf[0] == ' ': // the first word is endless or empty
	case command.Retrieval():
		return p.stretch(command, buf[:MaxLine], req)
	case verb != nil && verb.List:
		if end := p.lineEnd(buf, p.MaxData); end > 0 {
			return p.wholeLine(buf, end, req)
		}
		if len(buf) < p.MaxData {
			return 0, Partial
		}
	}
	return 0, broken(req, p.tooLong(verb))
}

// tooLong returns the error for a line that is too long. verb is nil unless it is a verb's.
func (p *Parser) tooLong(verb *Verb) string {
	if verb == nil || !verb.List {
		return errLongLine
	}
	return fmt.Sprintf("%s: that of %s has at most %d bytes; send several", errLongLine, verb.Name, p.MaxData)
}

// wholeLine reads the request whose line, with its end, is buf[:end].
func (p *Parser) wholeLine(buf []byte, end int, req *Request) (int, Status) {
	line := buf[:end-1]
	if len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	if p.command != Unknown {
		if bytes.IndexByte(line, 0) >= 0 {
			return end, p.refuseKeys(p.command, req)
		}
		return p.keys(p.command, line, end, false, req), Ready
	}
	word, rest := NextWord(line)
	command, verb := p.lookup(word)
	if len(line) > 0 && line[0] == ' ' { // memcached reads an empty first word
		command, verb = Unknown, nil
	}
	if command.Retrieval() {
		if bytes.IndexByte(rest, 0) >= 0 {
			return end, p.refuseKeys(command, req)
		}
		return p.keys(command, line, end, false, req), Ready
	}
	req.Reset(command)
	req.Verb = verb
	switch {
	case command == Unknown:
		return p.unknown(line, end, req)
	case command.Storage() || verb != nil && verb.Block:
		return p.storage(buf, end, rest, req)
	}
	p.arguments(rest, req)
	refuseNUL(rest, req)
	return end, Ready
}

// lookup returns the command that word names, and its verb if the command is Extra.
func (p *Parser) lookup(word []byte) (Command, *Verb) {
	command := lookup(word)
	if command != Unknown {
		return command, nil
	}
	if verb := p.Verbs[string(word)]; verb != nil {
		return Extra, verb
	}
	return Unknown, nil
}

// unknown refuses a line that is no command. Like memcached, it recognises HTTP by the
// last word.
func (p *Parser) unknown(line []byte, end int, req *Request) (int, Status) {
	_, rest := NextWord(line)
	switch _, last := CutLastWord(rest); {
	case bytes.HasPrefix(last, []byte("HTTP/")):
		return 0, broken(req, errHTTP)
	case end < shortestLine:
		req.Refusal = errFormat
	default:
		req.Refusal = errUnknown
		req.Quiet = asksForSilence(rest)
	}
	return end, Ready
}

// arguments reads what follows a command without a data block.
func (p *Parser) arguments(rest []byte, req *Request) {
	switch c := req.Command; {
	case c == Delete, c == Incr, c == Decr, c == Touch:
		parseKeyed(rest, req)
	case c.Meta():
		p.meta(rest, req)
	case c == Extra:
		req.Verb.Read(rest, req)
	case c == Admin:
		req.Refusal = "CLIENT_ERROR this command administers a single memcached; send it to that server itself"
	case c == FlushAll, c == Verbosity:
		parseGlobal(rest, req)
	default: // extra words change nothing, not even noreply
		req.Words, req.NumWords = rest, CountWords(rest)
	}
}
