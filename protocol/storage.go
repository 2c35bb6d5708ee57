package protocol

import (
	"math"
	"strconv"
)

// maxBlock is the longest data block, in bytes, that memcached believes in.
// It computes with 32 bits: what is longer it would take for something short.
const maxBlock = math.MaxInt32 - 2

// storage reads a command whose line is buf[:end] and whose data block follows
// it. rest is the line behind the command; whole says that line is all of it.
func (p *Parser) storage(buf []byte, end int, rest []byte, whole bool, req *Request) (int, Status) {
	line := req.head
	size := -1
	switch {
	case req.Command == MetaSet:
		size = p.metaSet(rest, req)
	case req.Command == LogPut:
		size = parseLogPut(rest, req)
	default:
		size = p.parseStorage(rest, req)
	}
	if size < 0 { // a block whose length nobody knows can't be skipped
		return end, Ready
	}
	if size > p.MaxData && req.Refusal == "" {
		tooLarge(req)
	}
	if req.Refusal != "" {
		p.skip = size + 2
		return end, Ready
	}
	total := end + size + 2
	if len(buf) < total {
		p.Need = total
		return 0, Partial
	}
	req.Data, req.block = buf[end:end+size], buf[end:total]
	req.BadEnd = buf[total-2] != '\r' || buf[total-1] != '\n'
	switch {
	case req.BadEnd && req.Command == LogPut:
		req.Refusal = errChunk
	case whole && same(req.head, line):
		req.raw = buf[:total]
	}
	return total, Ready
}

// tooLarge refuses a request whose data is more than is taken. memcached looks
// at the flags of a meta set before.
func tooLarge(req *Request) {
	if req.Command == MetaSet {
		if req.Refusal = req.BadFlags(); req.Refusal != "" {
			return
		}
	}
	req.Refusal = errTooLarge
	req.Unlink = req.Command == Set || req.Command == MetaSet
}

// parseStorage reads <key> <flags> <exptime> <bytes> [<cas>] [noreply] and
// returns the length of the data block, or -1 if it can't be told.
func (p *Parser) parseStorage(rest []byte, req *Request) int {
	var words [6][]byte
	given, least := fields(rest, words[:]), 4
	if req.Command == Cas {
		least = 5
	}
	if given != least && given != least+1 {
		req.Refusal = errUnknown
		return -1
	}
	if string(words[given-1]) == noreply {
		req.Quiet = true
		req.head, _ = cutLastWord(req.head)
		if given == least { // so there is one word too few
			req.Refusal = errFormat
			return -1
		}
		given--
	}
	req.Key = words[0]
	req.Exptime = words[2]
	if size, plain := plainNumbers(words[1:least], req); plain && size <= maxBlock && len(req.Key) <= MaxKey {
		return int(size)
	}
	return p.renumber(words[:given], req)
}

// plainNumbers reads flags, exptime, length and, if it is there, CAS, and
// returns the length. It reports whether they are all such that every version
// of memcached reads them alike.
func plainNumbers(words [][]byte, req *Request) (size uint64, plain bool) {
	size, plain = ParseUint(words[2])
	if plain {
		var flags uint64
		flags, plain = ParseUint(words[0])
		req.Flags = uint32(flags)
	}
	if plain {
		_, plain = ParseInt(words[1])
	}
	if plain && len(words) > 3 {
		_, plain = ParseUint(words[3])
	}
	return size, plain
}

// renumber writes the line anew, with the numbers as memcached reads them, or
// refuses the request if it does not. It returns the length of the data block,
// or -1 if it can't be told.
func (p *Parser) renumber(words [][]byte, req *Request) int {
	size, okSize := parseLength(words[3])
	flags, okFlags := ReadUint(words[1])
	exptime, okExptime := ReadInt(words[2])
	if !okSize || !okFlags || !okExptime || len(req.Key) > MaxKey {
		req.Refusal = errFormat
		return size
	}
	req.Flags = uint32(flags)
	line := append(append(p.line[:0], req.Command.String()...), ' ')
	line = append(append(line, req.Key...), ' ')
	line = append(strconv.AppendUint(line, flags, 10), ' ')
	start := len(line)
	line = strconv.AppendInt(line, exptime, 10)
	req.Exptime = line[start:]
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(size), 10)
	rest := words[4:]
	if req.Command == Cas {
		cas, ok := ReadUint(words[4])
		if !ok {
			req.Refusal = errFormat
			return size
		}
		line = strconv.AppendUint(append(line, ' '), cas, 10)
		rest = words[5:]
	}
	for _, word := range rest {
		line = append(append(line, ' '), word...)
	}
	p.line, req.head = line, line
	return size
}

// parseLength reads the length of a data block. It returns false for what
// memcached would not take, and then as length -1 if it can't be told.
func parseLength(word []byte) (int, bool) {
	n, ok := ReadInt(word)
	if !ok || n < 0 || n > math.MaxInt-2 {
		return -1, false
	}
	return int(n), n <= maxBlock
}
