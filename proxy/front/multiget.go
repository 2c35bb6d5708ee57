package front

import (
	"github.com/memverbs/memverbs/protocol/binary"
	"github.com/memverbs/memverbs/proxy/reply"
)

// A multi-get of the meta commands or the binary protocol is a number of quiet gets and a noop, whose
// answer says that all have been answered. Each value comes with its key, and a miss has no answer.
// An error has none either. dalli would take it, an answer without a key, for the end of the
// multi-get, and the values after it for the answers to its next requests, so that it would return
// one key's value for another. libmemcached would close the connection. No client can report an error
// in the middle of a multi-get and go on with the other keys; all of them treat keys without an
// answer as missing.

// A verb that removes what it answers with is run as in a get of several keys (see askNamed): last, only if no
// other key had an error, and only if it is the only such verb. In the binary protocol that is known only when
// the multi-get has ended, at the next packet that is not a quiet get, and all answers have arrived. So its get
// is deferred until then.

// packets is what a client of the binary protocol has in addition.
type packets struct {
	reply.Packets
	multiget multiget
}

// multiget is the multi-get of a client of the binary protocol whose packets are being received.
type multiget struct {
	state multigetState
	key   []byte      // of the deferred get
	form  binary.Form // of its answer
}

// multigetState is how far a multi-get has come:
//
//	none     the last packet was not a quiet get
//	open     it was one, and none of the multi-get names a verb that removes something
//	deferring  one does, and is deferred until the multi-get ends
//	spoiled  a key was refused or had an error, so no verb that removes something is run
//	running  it has ended, and the deferred get is being dispatched
type multigetState uint8

const (
	none multigetState = iota
	open
	deferring
	spoiled
	running
)
