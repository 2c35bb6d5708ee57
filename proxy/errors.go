package proxy

import "bytes"

// errorCounts are the errors sent to clients, by who caused them.
type errorCounts struct {
	client uint64 // ERROR and CLIENT_ERROR
	server uint64 // SERVER_ERROR
}

// count counts a reply that is an error, and returns which.
func (e *errorCounts) count(reply []byte) ending {
	if bytes.HasPrefix(reply, []byte("CLIENT_ERROR")) || bytes.HasPrefix(reply, []byte("ERROR")) {
		e.client++
		return clientError
	}
	e.server++
	return serverError
}

// isServerError reports whether an error is not about what the client has sent.
func isServerError(reply []byte) bool { return bytes.HasPrefix(reply, []byte("SERVER_ERROR")) }

// isError reports whether the answer of a verb is an error.
func isError(text []byte) bool {
	word, _, _ := bytes.Cut(text, []byte(" "))
	return bytes.HasSuffix(bytes.TrimSpace(word), []byte("ERROR"))
}
