package binary

import "bytes"

// status is the status of an answer.
type status uint16

const (
	success        status = 0
	notFound       status = 1
	exists         status = 2
	tooLarge       status = 3
	invalid        status = 4
	notStored      status = 5
	notNumeric     status = 6
	authFailed     status = 0x20
	unknownCommand status = 0x81
	outOfMemory    status = 0x82
	temporary      status = 0x86
)

// texts are memcached's descriptions of the statuses.
var texts = map[status]string{
	notFound:       "Not found",
	exists:         "Data exists for key.",
	tooLarge:       "Too large.",
	invalid:        "Invalid arguments",
	notStored:      "Not stored.",
	notNumeric:     "Non-numeric server-side value for incr or decr",
	authFailed:     "Auth failure.",
	unknownCommand: "Unknown command",
}

// The statuses of the text protocol's errors.
var errorStatuses = []struct {
	line   string
	status status
	told   bool // what follows the first word is the description
}{
	{"CLIENT_ERROR cannot increment or decrement non-numeric value", notNumeric, false},
	{"CLIENT_ERROR unauthenticated", authFailed, false},
	{"CLIENT_ERROR authentication failure", authFailed, false},
	{"CLIENT_ERROR ", invalid, true},
	{"SERVER_ERROR object too large for cache", tooLarge, false},
	{"SERVER_ERROR out of memory", outOfMemory, true},
	{"SERVER_ERROR Out of memory", outOfMemory, true},
	{"SERVER_ERROR ", temporary, true},
}

// statusOf returns the status and the description of an error line.
func statusOf(line []byte) (status, string) {
	for _, e := range errorStatuses {
		if !bytes.HasPrefix(line, []byte(e.line)) {
			continue
		}
		if e.told {
			_, text, _ := bytes.Cut(line, []byte{' '})
			return e.status, string(text)
		}
		return e.status, texts[e.status]
	}
	return unknownCommand, texts[unknownCommand]
}
