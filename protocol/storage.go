package protocol

import "math"

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
		size = parseStorage(rest, req)
	}
	if size < 0 { // a block whose length nobody knows can't be skipped
		return end, Ready
	}
	if size > min(p.MaxData, maxBlock) && req.Refusal == "" {
		req.Refusal = errTooLarge
		req.Unlink = req.Command == Set || req.Command == MetaSet && PlainWord(req.Key)
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
	req.Data = buf[end : end+size]
	if buf[total-2] != '\r' || buf[total-1] != '\n' {
		req.Refusal = errChunk
	} else if whole && len(req.head) == len(line) {
		req.raw = buf[:total]
	}
	return total, Ready
}

// parseStorage reads <key> <flags> <exptime> <bytes> [<cas>] [noreply] and
// returns the length of the data block, or -1 if it can't be told.
func parseStorage(rest []byte, req *Request) int {
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
	}
	req.Key = words[0]
	flags, okFlags := ParseUint(words[1])
	req.Flags, req.Exptime = uint32(flags), words[2]
	_, okExptime := ParseInt(words[2])
	size, okSize := parseLength(words[3])
	okCas := true
	if req.Command == Cas {
		_, okCas = ParseUint(words[4])
	}
	if !okFlags || !okExptime || !okSize || !okCas || len(req.Key) > MaxKey {
		req.Refusal = errFormat
	}
	return size
}

// parseLength reads the length of a data block. It returns -1 with false for
// what is not one. The length may be longer than any memcached would take.
func parseLength(word []byte) (int, bool) {
	n, ok := ParseUint(word)
	if !ok || n > math.MaxInt-2 {
		return -1, false
	}
	return int(n), true
}
