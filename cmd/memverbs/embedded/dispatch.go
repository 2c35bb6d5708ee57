package embedded

import (
	"github.com/memverbs/memverbs/protocol"
)

// commands has the function for each command. A missing command is unknown.
var commands = [protocol.NumCommands]func(*conn){
	protocol.Get:  (*conn).get,
	protocol.Gets: (*conn).get,
	protocol.Gat:  (*conn).get,
	protocol.Gats: (*conn).get,

	protocol.Set:     (*conn).set,
	protocol.Add:     (*conn).set,
	protocol.Replace: (*conn).set,
	protocol.Append:  (*conn).set,
	protocol.Prepend: (*conn).set,
	protocol.Cas:     (*conn).set,

	protocol.Delete: (*conn).delete,
	protocol.Incr:   (*conn).count,
	protocol.Decr:   (*conn).count,
	protocol.Touch:  (*conn).touch,

	protocol.MetaGet:        (*conn).metaGet,
	protocol.MetaSet:        (*conn).metaSet,
	protocol.MetaDelete:     (*conn).metaDelete,
	protocol.MetaArithmetic: (*conn).metaCount,
	protocol.MetaDebug:      (*conn).metaDebug,
	protocol.MetaNoop:       func(c *conn) { c.say("MN") },

	protocol.Version:   func(c *conn) { c.say("VERSION " + version) },
	protocol.Verbosity: func(c *conn) { c.say("OK") }, // for the sake of clients that set it
	protocol.Stats:     (*conn).stats,
	protocol.FlushAll:  (*conn).flushAll,
}

// carryOut carries out c's request and answers it.
func (c *conn) carryOut() {
	r := &c.request
	c.store.flushIfDue()
	command := commands[r.Command]
	switch {
	case command == nil && r.Command != protocol.Unknown:
		c.say(errUnknown)
	case r.Refusal != "":
		if r.Unlink {
			c.store.remove(r.Key)
		}
		c.say(r.Refusal)
	default:
		command(c)
	}
}
