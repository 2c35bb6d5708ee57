package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/status"
)

// countError counts a reply that is an error, by who has caused it, and returns which.
func countError(in *status.Counts, reply []byte) ending {
	if bytes.HasPrefix(reply, []byte("CLIENT_ERROR")) || bytes.HasPrefix(reply, []byte("ERROR")) {
		in[status.ClientErrors]++
		return clientError
	}
	in[status.ServerErrors]++
	return serverError
}

// isServerError reports whether an error is not about what the client has sent.
func isServerError(reply []byte) bool { return bytes.HasPrefix(reply, []byte("SERVER_ERROR")) }

// isError reports whether the answer of a verb is an error.
func isError(text []byte) bool {
	word, _, _ := bytes.Cut(text, []byte(" "))
	return bytes.HasSuffix(bytes.TrimSpace(word), []byte("ERROR"))
}
