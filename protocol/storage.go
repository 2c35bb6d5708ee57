package protocol

// storage reads a command whose line is buf[:end] and whose data block follows it. rest
// is the line after the command. A block that is too long to be skipped ends the stream: its client would
// wait while gigabytes are skipped, and memcached would parse them as commands.
func (p *Parser) storage(buf []byte, end int, rest []byte, req *Request) (int, Status) {
	size := -1
	switch req.Command {
	case MetaSet:
		size = p.metaSet(rest, req)
	case Extra:
		size = readBlockVerb(rest, req)
	default:
		size = parseStorage(rest, req)
	}
	refuseNUL(rest, req)
	switch {
	case size < 0: // a block of unknown length can't be skipped
		return end, Ready
	case size > maxBlock:
		return end, broken(req, req.Refusal)
	}
	if size > p.MaxData && req.Refusal == "" {
		req.RefuseAsTooLarge()
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
		req.Refusal, req.BadEnd = errChunk, true
	}
	return total, Ready
}

// skipped ends the refusal of a verb's line whose data block is skipped. A user who has typed everything in
// one line would wonder why the next line has no effect.
const skipped = "; the data that follows is skipped"

// readBlockVerb reads the line of a verb with a data block, and returns the block's length, or -1 if that is
// unknown.
func readBlockVerb(rest []byte, req *Request) int {
	size := req.Verb.Read(rest, req)
	if req.Refusal != "" && size >= 0 && size <= maxBlock {
		req.Refusal += skipped
	}
	return size
}

// RefuseAsTooLarge refuses a request whose data is too long. Like memcached, it
// overrides the error for a missing line end after the data.
func (r *Request) RefuseAsTooLarge() {
	r.Refusal, r.BadEnd = errTooLarge, false
	r.Unlink = r.Command == Set || r.Command == MetaSet && !r.KeepsOld
}

// RefusedAsTooLarge reports whether RefuseAsTooLarge has refused r.
func (r *Request) RefusedAsTooLarge() bool { return r.Refusal == errTooLarge }

// RefuseForMemory gives a request that was refused as too large the error for one that there is
// no memory for.
func (r *Request) RefuseForMemory() {
	if r.Refusal == errTooLarge {
		r.Refusal = errMemory
	}
}

// parseStorage reads <key> <flags> <exptime> <bytes> [<cas>] [noreply] and returns the
// length of the data block, or -1 if that is unknown. Other words before the option are
// ignored.
func parseStorage(rest []byte, req *Request) int {
	var words [5][]byte
	given := fields(rest, words[:])
	size, okSize := ParseLength(words[3])
	if given < 4 || !okSize {
		req.Refusal = errFormat
		return size
	}
	req.Key = words[0]
	req.Quiet = given > 4 && asksForSilence(rest)
	var okFlags, okExptime bool
	okCAS := true
	req.Flags, okFlags = readFlags(words[1])
	req.Exptime, okExptime = readExptime(words[2])
	if req.Command == Cas {
		req.Number, okCAS = ParseUint(words[4])
	}
	if !okFlags || !okExptime || !okCAS || len(req.Key) > MaxKey {
		req.Refusal = errFormat
	}
	return size
}
