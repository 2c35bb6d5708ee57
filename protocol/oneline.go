package protocol

// wordsRead is how many words of a line after the command the newest memcached looks
// at.
const wordsRead = 22

// asksForSilence reports whether the last word that memcached looks at is noreply.
func asksForSilence(arguments []byte) bool {
	var last []byte
	for range wordsRead {
		word, rest := NextWord(arguments)
		if len(word) == 0 {
			break
		}
		last, arguments = word, rest
	}
	return string(last) == noreply
}

// parseKeyed reads <key> [argument] [noreply] of delete, incr, decr and touch. Words
// between the argument and the option are ignored.
func parseKeyed(rest []byte, req *Request) {
	key, more := NextWord(rest)
	argument, _ := NextWord(more)
	if len(key) == 0 || len(argument) == 0 && req.Command != Delete {
		req.Refusal = errFormat
		return
	}
	req.Key = key
	req.Quiet = len(argument) > 0 && asksForSilence(rest)
	var ok bool
	switch {
	case len(key) > MaxKey:
		req.Refusal = errFormat
	case req.Command == Touch:
		if req.Exptime, ok = parseInt32(argument); !ok {
			req.Refusal = errExptime
		}
	case req.Command != Delete:
		if req.Number, ok = ParseUint(argument); !ok {
			req.Refusal = errAmount
		}
	}
}

// parseGlobal reads [argument] [noreply] of flush_all and verbosity.
func parseGlobal(rest []byte, req *Request) {
	req.Quiet = asksForSilence(rest)
	argument, more := NextWord(rest)
	if req.Quiet && CountWords(more) == 0 {
		argument = nil // the only word is the option
	}
	if req.Command == Verbosity {
		if _, ok := parseUint32(argument); !ok {
			req.Refusal = errFormat
		}
		return
	}
	if len(argument) > 0 {
		req.Words, req.NumWords = argument, 1
	}
	var ok bool
	if req.Exptime, ok = parseInt32(argument); !ok && req.NumWords > 0 {
		req.Refusal = errExptime
	}
}

// CutNoreply cuts the noreply option off the arguments of a verb and sets req.Quiet if
// it was there.
func CutNoreply(rest *[]byte, req *Request) {
	head, last := CutLastWord(*rest)
	if string(last) == noreply {
		req.Quiet = true
		*rest = head
	}
}
