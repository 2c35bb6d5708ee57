package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// missed reports whether an answer of a server is a miss, or the mark of a fill, which counts as one.
func missed(a *upstream.Answer) bool {
	if bytes.HasPrefix(a.Data, []byte("EN")) { // END, or EN of a meta command
		return true
	}
	return len(a.Data) < upstream.Large && isMark(a.Data)
}

// isMark reports whether a reply with one value has the mark of a fill.
func isMark(reply []byte) bool {
	var value protocol.Reply
	_, _, err := protocol.ParseReply(reply, &value)
	return err == nil && (value.Kind == protocol.ReplyValue || value.Kind == protocol.ReplyMetaValue) && copies.IsMark(value.Data)
}

// noCASText is a CAS that no item has. A gets that another copy than the first has answered gets it, because the cas that follows goes
// to the first: that is answered with EXISTS, and the client asks again.
const noCASText = "9223372036854775807"

// withoutCAS returns the reply to a gets of one key with noCASText in place of the CAS.
func withoutCAS(reply []byte) []byte {
	line, rest, _ := bytes.Cut(reply, []byte("\r\n"))
	at := bytes.LastIndexByte(line, ' ')
	if at < 0 || !bytes.HasPrefix(line, []byte("VALUE ")) {
		return reply
	}
	changed := append(make([]byte, 0, len(reply)+len(noCASText)), line[:at+1]...)
	return append(append(append(changed, noCASText...), "\r\n"...), rest...)
}

// isErrorLine reports whether a line of memcached is an error.
func isErrorLine(line []byte) bool {
	var r protocol.Reply
	_, _, err := protocol.ParseReply(append(bytes.Clone(line), "\r\n"...), &r)
	return err == nil && r.Kind == protocol.ReplyError
}

// deletionOf returns a request that deletes the item under the key of req.
func deletionOf(req *protocol.Request) *protocol.Request {
	d := &protocol.Request{}
	d.SetDelete(req.Key, req.Encoded)
	return d
}
