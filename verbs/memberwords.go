package verbs

import "github.com/memverbs/memverbs/protocol"

// ErrMember refuses a malformed member of a set or a ranking.
const ErrMember = "CLIENT_ERROR bad member: a member is 1 to 250 bytes without white space or control characters"

// ReadMembers reads <key> <member>+.
func ReadMembers(rest []byte, req *protocol.Request) int {
	return ReadWords(rest, req, protocol.MaxKey, ErrMember)
}

// ReadMembersQuietly reads <key> <member>+ [noreply].
func ReadMembersQuietly(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	return ReadMembers(rest, req)
}
