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

// isError reports whether the answer of a verb is an error.
func isError(text []byte) bool {
	word, _, _ := bytes.Cut(text, []byte(" "))
	return bytes.HasSuffix(bytes.TrimSpace(word), []byte("ERROR"))
}
