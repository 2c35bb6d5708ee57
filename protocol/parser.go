package protocol

import (
	"bytes"
	"fmt"
)

// Status is the outcome of a call to [Parser.Next].
type Status uint8

const (
	// Partial: the buffer does not hold a whole request yet.
	Partial Status = iota
	// Ready: the request is filled in.
	Ready
	// Broken: the stream can't be parsed any further. Answer with Refusal, which says
	// why, and close the connection.
	Broken
)

// Refusals: most in the words of the newest memcached, some our own.
const (
	errUnknown   = "ERROR"
	errFormat    = "CLIENT_ERROR bad command line format"
	errChunk     = "CLIENT_ERROR bad data chunk"
	errTooLarge  = "SERVER_ERROR object too large for cache"
	errMemory    = "SERVER_ERROR out of memory storing object"
	errDuplicate = "CLIENT_ERROR duplicate flag"
	errFlag      = "CLIENT_ERROR invalid flag"
	errAnyFlag   = "CLIENT_ERROR invalid or duplicate flag"
	errFlags     = "CLIENT_ERROR options flags are too long"
	errToken     = "CLIENT_ERROR bad token in command line format"
	errInitial   = "CLIENT_ERROR invalid numeric initial value"
	errDelta     = "CLIENT_ERROR invalid numeric delta value"
	errSetMode   = "CLIENT_ERROR invalid mode for ms M token"
	errCountMode = "CLIENT_ERROR invalid mode for ma M token"
	errOpaque    = "CLIENT_ERROR opaque token too long"
	errDecode    = "CLIENT_ERROR error decoding key"
	errLineEnd   = "CLIENT_ERROR the key holds a line end, so memcached's answer could not be told from others"
	errExptime   = "CLIENT_ERROR invalid exptime argument"
	errAmount    = "CLIENT_ERROR invalid numeric delta argument"
	errLongLine  = "CLIENT_ERROR line too long"
	errHTTP      = "CLIENT_ERROR this is not an HTTP server; it speaks the memcached text protocol"
)

// MaxKeys is how many keys of a retrieval one [Request] holds at most.
const MaxKeys = 128

// Parser reads the requests of one client. The zero value, with its limit set, is ready
// for a new connection. Restoring a copy made before a call to Next undoes the call.
type Parser struct {
	// MaxData is the longest data block accepted, in bytes. The line of a verb with a
	// list may be as long.
	MaxData int

	// Verbs are the commands that the parser knows besides memcached's; nil means none.
	Verbs *Verbs

	// MaxKeys is how many keys of a retrieval one [Request] holds; one with
	// more is yielded in parts. 0, or more than [MaxKeys], means [MaxKeys].
	MaxKeys int

	// Need is, after Partial, the total length in bytes of the request being received,
	// or 0 while that is unknown.
	Need int

	scanned  int     // bytes at the start of the buffer that hold no line end
	skip     int     // bytes of a refused data block still to come
	skipLine bool    // the rest of a refused line is still to come
	command  Command // the retrieval whose further keys follow, or Unknown
	exptime  int64   // the exptime of that retrieval
	decoded  []byte  // buffer for a decoded key
	encoded  []byte  // buffer for its canonical base64
	line     []byte  // buffer for the flags of a meta command
}

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

// lineEnd returns the length of the line at the start of buf including its end, or 0 if
// it does not end within the first limit bytes of buf. No byte is examined twice,
// however small the pieces in which a line arrives.
func (p *Parser) lineEnd(buf []byte, limit int) int {
	limit = min(limit, len(buf))
	if p.scanned >= limit {
		return 0
	}
	i := bytes.IndexByte(buf[p.scanned:limit], '\n')
	if i < 0 {
		p.scanned = limit
		return 0
	}
	p.scanned += i // the next call finds the line end here at once if the data is incomplete
	return p.scanned + 1
}

// Swallowing reports whether the parser is skipping the rest of a refused request. That
// rest need not be buffered.
func (p *Parser) Swallowing() bool { return p.skip > 0 || p.skipLine }

func broken(req *Request, why string) Status {
	*req = Request{Refusal: why}
	return Broken
}

// swallow skips the rest of a refused request, as far as it is in buf, and returns how
// many bytes that is.
func (p *Parser) swallow(buf []byte) int {
	if p.skipLine {
		i := bytes.IndexByte(buf, '\n')
		if i < 0 {
			return len(buf)
		}
		p.skipLine = false
		return i + 1
	}
	n := min(p.skip, len(buf))
	p.skip -= n
	return n
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

// shortestLine is the length in bytes, including the line end, below which the newest
// memcached refuses a line as malformed. Only "mn" is accepted here with a line end of
// one byte.
const shortestLine = 4

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
	req.begin(command)
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
	if verb := p.Verbs.Named(word); verb != nil {
		return Extra, verb
	}
	return Unknown, nil
}

// unknown refuses a line that is no command. Like memcached, it recognises HTTP by the
// last word.
func (p *Parser) unknown(line []byte, end int, req *Request) (int, Status) {
	switch _, rest := NextWord(line); {
	case len(rest) > 0 && bytes.HasPrefix(lastWord(rest), []byte("HTTP/")):
		return 0, broken(req, errHTTP)
	case end < shortestLine:
		req.Refusal = errFormat
	default:
		req.Refusal = errUnknown
		_, rest := NextWord(line)
		req.Quiet = asksForSilence(rest)
	}
	return end, Ready
}

// refuseNUL refuses a request with a zero byte in its line. The newest memcached treats
// it as an ordinary character, older versions as the end of the line.
func refuseNUL(rest []byte, req *Request) {
	if bytes.IndexByte(rest, 0) >= 0 && req.Refusal == "" {
		req.Refusal = errFormat
	}
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
