package reply

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/status"
)

// CountError counts a reply that is an error, by who has caused it, and returns which.
func CountError(in *status.Counts, reply []byte) status.Ending {
	if bytes.HasPrefix(reply, []byte("CLIENT_ERROR")) || bytes.HasPrefix(reply, []byte("ERROR")) {
		in[status.ClientErrors]++
		return status.ClientError
	}
	in[status.ServerErrors]++
	return status.ServerError
}

// IsServerError reports whether an error is not about what the client has sent.
func IsServerError(reply []byte) bool { return bytes.HasPrefix(reply, []byte("SERVER_ERROR")) }

// IsError reports whether the answer of a verb is an error.
func IsError(text []byte) bool {
	word, _, _ := bytes.Cut(text, []byte(" "))
	return bytes.HasSuffix(bytes.TrimSpace(word), []byte("ERROR"))
}
