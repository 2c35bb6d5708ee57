package protocol

import "bytes"

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
	Verbs Verbs

	// MaxKeys is how many keys of a retrieval one [Request] has; a retrieval with more is yielded
	// in parts. 0, or more than [MaxKeys], means [MaxKeys].
	MaxKeys int

	// Need is, after Partial, the total length in bytes of the request being received,
	// or 0 while that is unknown.
	Need int

	scanned  int      // bytes at the start of the buffer that hold no line end
	skip     int      // bytes of a refused data block still to come
	skipLine bool     // the rest of a refused line is still to come
	command  Command  // the retrieval whose further keys follow, or Unknown
	exptime  int64    // the exptime of that retrieval
	own      *buffers // those of meta commands; nil before the first
}

// buffers are what a parser needs to rewrite meta commands. Few clients send any.
type buffers struct {
	decoded []byte // a decoded key
	encoded []byte // its canonical base64
	line    []byte // flags
}

// buffers returns the parser's buffers.
func (p *Parser) buffers() *buffers {
	if p.own == nil {
		p.own = &buffers{}
	}
	return p.own
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

// AtRest reports whether nothing is known of the input to come: the last request was complete, and the
// next one has not begun. Then any other parser at rest with the same limits would do as well.
func (p *Parser) AtRest() bool {
	return p.Need == 0 && p.scanned == 0 && !p.Swallowing() && p.command == Unknown
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

// refuseNUL refuses a request with a zero byte in its line. The newest memcached treats
// it as an ordinary character, older versions as the end of the line.
func refuseNUL(rest []byte, req *Request) {
	if bytes.IndexByte(rest, 0) >= 0 && req.Refusal == "" {
		req.Refusal = errFormat
	}
}
