package catalog

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// nsflush flushes a namespace: it deletes the generation with which all keys of the namespace are stored, on every upstream.
var nsflush = verbs.Verb{
	Verb:       protocol.Verb{Name: "nsflush", Usage: "<namespace> [noreply]", Read: readNamespace},
	Does:       "hides all items whose keys begin with a namespace, on all servers; the setting namespaces says which there are",
	Carry:      &verbs.Carry{By: protocol.Delete, Shape: "<namespace>"},
	Everywhere: true,
	Shrinks:    true,
	Run: func(c *verbs.Call) verbs.Step {
		return c.Asks(flushed, verbs.Op{Kind: verbs.DeleteEverywhere, Key: c.Key})
	},
}

func readNamespace(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	return verbs.ReadOneKey(rest, req)
}

func flushed(c *verbs.Call, replies []verbs.Reply) verbs.Step {
	if r := replies[0]; r.Status == verbs.Failed {
		c.Fail(r)
	} else {
		c.Say("OK")
	}
	return verbs.Step{}
}
