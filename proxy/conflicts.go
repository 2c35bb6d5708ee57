package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// maxCompared is how many words of a request are looked at one by one; a
// request with more is taken to be about everything.
const maxCompared = 256

// conflicts reports whether req may touch what a verb of c that is under way
// has yet to change, or may change what one has yet to read. To be wrong costs
// waiting.
func (c *client) conflicts(req *protocol.Request) bool {
	if len(c.runs) >= maxRuns || req.Command == protocol.FlushAll {
		return true
	}
	if !req.Command.Retrieval() && !req.Command.TakesKeys() {
		return c.concerned(req.Key, req.Command, c.goesBehind(req))
	}
	if req.NumWords > maxCompared {
		return true
	}
	for rest := req.Words; ; {
		var word []byte
		if word, rest = protocol.NextWord(rest); len(word) == 0 {
			return false
		}
		key, command := c.loop.carriage.subject(word, req.Command)
		if c.concerned(key, command, false) {
			return true
		}
	}
}

// goesBehind reports whether what req does is no more than to append, so that it
// happens behind what else waits to be appended.
func (c *client) goesBehind(req *protocol.Request) bool {
	tokens := 2*len(req.Words) + len("+ ") // at most: a member has at least one letter, and a token a sign and a space more
	return (req.Command == protocol.SAdd || req.Command == protocol.SRem) && verbs.Appended(c.loop, req.Key, tokens)
}

// concerned reports whether a command on key conflicts with a verb of c that is
// under way. behind says that it goes behind what waits to be appended.
func (c *client) concerned(key []byte, command protocol.Command, behind bool) bool {
	for _, r := range c.runs {
		if command.ReadOnly() && r.command.ReadOnly() || behind && r.lets(command) {
			continue
		}
		if r.several || related(key, command, r.key, r.command) {
			return true
		}
	}
	return false
}

// lets reports whether a command of the same client that appends may come after
// r as it is, whatever both are about: r adds members and so does the command, or
// both remove some, and either r has answered, or it waits for no more than an
// append that the command's append goes behind.
func (r *run) lets(command protocol.Command) bool {
	return command == r.command && (r.hasTold || asked{r, 0}.joins())
}

// related reports whether two commands are about the same key, or one about an
// event log and the other about an item of it: those have its name in front.
func related(one []byte, of protocol.Command, other []byte, with protocol.Command) bool {
	return bytes.Equal(one, other) || isLog(of) && within(other, one) || isLog(with) && within(one, other)
}

func isLog(c protocol.Command) bool { return c == protocol.LogPut || c == protocol.LogFetch }

func within(key, log []byte) bool {
	return len(key) > len(log) && key[len(log)] == ':' && bytes.HasPrefix(key, log)
}
