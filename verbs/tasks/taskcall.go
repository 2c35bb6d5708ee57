package tasks

import (
	"bytes"
	"cmp"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// taskCall is a call of a verb on a queue.
type taskCall struct{ *structure.Engine }

// onQueue converts a function of a taskCall to one of a Call, for [verbs.Verb].
func onQueue(run func(c taskCall)) func(*verbs.Call) verbs.Step {
	return verbs.Coroutine(func(c *verbs.Call) { run(taskCall{structure.EngineOf(c, &Kind)}) })
}

// appendContentKey appends the key of the content of a put.
func appendContentKey(dst, queue, put []byte) []byte {
	return append(verbs.AppendPartPrefix(dst, queue), put...)
}

// IsContent reports whether name, which follows a queue's key and a colon, has the form of the name of the content of
// a put.
func IsContent(name []byte) bool { return verbs.IsID(name) }

// content returns an operation on the content of a put.
func (c taskCall) content(kind verbs.OpKind, put []byte) verbs.Op {
	return c.Part(kind, appendContentKey(nil, c.Key, put))
}

// readQueue reads the queue. It answers the client, and returns nil, if there is none or it can't be read.
func (c taskCall) readQueue(use structure.Use) (s *structure.Loaded, q *Queue) {
	s = c.LoadOne(c.Key, use)
	if q, _ = c.FoldOrEnd(s).(*Queue); q != nil {
		c.Item = s.Reply.Item()
	}
	return s, q
}

// bound returns the time, in milliseconds since 1970, that the i-th word of the request means as a bound of
// tasklist. If there is no such word, without is taken in its place.
func (c taskCall) bound(i int, without string) int64 {
	switch cmp.Or(string(c.Word(i)), without) {
	case beforeAll:
		return 0
	case afterAll:
		return latest
	}
	return c.time(i)
}

// time returns the time that the i-th word of the request stands for, in milliseconds since 1970.
func (c taskCall) time(i int) int64 {
	text, later := bytes.CutPrefix(c.Word(i), []byte{'+'})
	n, _ := protocol.ParseInt(text)
	if later || n == 0 {
		n += c.Env.Now()
	}
	return n
}

// lineSize is the most bytes that a task takes in an answer in addition to its content.
const lineSize = len("VALUE  4294967295 1073741824 .4294967295\r\n\r\n") + putSize + longestID
