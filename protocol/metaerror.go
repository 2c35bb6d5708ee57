package protocol

import "bytes"

// maxOpaque is the longest O flag that memcached takes, in bytes, with its
// letter.
const maxOpaque = 32

// BadFlags returns what memcached says to the flags of a meta command, and
// nothing if it takes them. It is for requests that are not forwarded to find
// out.
func (r *Request) BadFlags() (refusal string) {
	before := 2 // words: the command and the key
	if r.Command == MetaSet {
		before = 3 // and the length
	}
	flags := r.head
	for range before {
		_, flags = NextWord(flags)
	}
	return badFlags(r, append(append(bytes.Clone(flags), ' '), r.tail...))
}

// badFlags returns what memcached says to the flags of a meta set, and nothing
// if it takes them. memcached's order is kept: a letter twice or unknown
// ends the search, of bad arguments the last is complained about.
func badFlags(req *Request, flags []byte) (refusal string) {
	var seen [127]bool
	opaque, mode := "", byte('S')
	for {
		var flag []byte
		if flag, flags = NextWord(flags); len(flag) == 0 {
			break
		}
		letter := flag[0]
		if letter >= 127 || seen[letter] {
			return errDuplicate
		}
		seen[letter] = true
		wrong, known := flagArgument(letter, flag[1:])
		if letter == 'b' && req.Undecodable {
			wrong = errDecode
		}
		switch {
		case !known:
			return errFlag
		case wrong == errFormat && refusal != "":
			// memcached has no words of its own for this one.
		case wrong != "":
			refusal = wrong
		case letter == 'O' && len(flag) > maxOpaque:
			opaque = errOpaque
		case letter == 'M':
			mode = flag[1]
		}
	}
	switch {
	case refusal != "":
		return refusal
	case !isMode(mode):
		return errMode
	}
	return opaque
}

func isMode(mode byte) bool {
	switch mode {
	case 'E', 'A', 'P', 'R', 'S':
		return true
	}
	return false
}

// flagArgument says what is wrong with the argument of a flag, and whether
// there is such a flag.
func flagArgument(letter byte, argument []byte) (wrong string, known bool) {
	ok := true
	switch letter {
	case 'b', 'c', 'f', 'h', 'k', 'l', 'q', 's', 't', 'u', 'v', 'x', 'I', 'L', 'O', 'P':
	case 'N', 'T', 'R':
		_, ok = ReadInt(argument)
		wrong = errToken
	case 'C', 'E':
		_, ok = ReadUint(argument)
		wrong = errToken
	case 'F':
		_, ok = ReadUint(argument)
		wrong = errFormat
	case 'J':
		_, ok = ReadUint(argument)
		wrong = errInitial
	case 'D':
		_, ok = ReadUint(argument)
		wrong = errDelta
	case 'M':
		ok = len(argument) == 1
		wrong = errModeLength
	default:
		return "", false
	}
	if ok {
		wrong = ""
	}
	return wrong, true
}
