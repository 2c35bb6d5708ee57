package protocol

import "bytes"

const noreply = "noreply"

// parseKeyed reads <key> [arguments] [noreply]. memcached checks the arguments
// and answers once, whatever they are, unless it is told not to answer.
func parseKeyed(rest []byte, req *Request) {
	var words [3][]byte
	given, least := fields(rest, words[:]), 2
	if req.Command == Delete {
		least = 1
	}
	if given < least || given > len(words) {
		req.Refusal = errUnknown
		return
	}
	req.Key = words[0]
	if given == 1 || string(words[given-1]) != noreply {
		return
	}
	req.Quiet = true
	req.head, _ = cutLastWord(req.head)
	// Too few words would be an error, which the option silences; a second
	// noreply would be the option again.
	if given--; given < least || given > 1 && string(words[given-1]) == noreply {
		req.Refusal = errFormat
	}
}

// parseGlobal reads [argument] [noreply].
func parseGlobal(rest []byte, req *Request) {
	if CountWords(rest) > 2 {
		req.Refusal = errUnknown
		return
	}
	cutNoreply(&rest, req)
	if _, last := cutLastWord(rest); string(last) == noreply { // as above
		req.Refusal = errFormat
	}
	req.Words, req.NumWords = rest, CountWords(rest)
}

// cutNoreply takes the noreply option off the arguments in rest, and off the
// line to forward.
func cutNoreply(rest *[]byte, req *Request) {
	head, last := cutLastWord(*rest)
	if string(last) != noreply {
		return
	}
	req.Quiet = true
	prefix := len(req.head) - len(*rest)
	req.head = bytes.TrimRight(req.head[:prefix+len(head)], " ")
	*rest = head
}
