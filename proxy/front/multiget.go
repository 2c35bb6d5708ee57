package front

import (
	"github.com/memverbs/memverbs/protocol/binary"
)

// A multi-get of the meta commands or the binary protocol is a number of quiet gets, and a noop whose
// answer says that all have been answered. Its values tell their keys, misses are silent, and so are
// errors: dalli takes the first answer without a key for the end, and everything after it for the
// answers to its next requests, so an error would have one key's value returned for another. It
// would also have libmemcached give up the connection. No client can tell an error in the midst of a
// multi-get to its caller and go on with the other keys; to all, keys without an answer are missing.

// A verb that removes what it answers with is run as in a get of several keys (see askNamed): last, if no other
// key had an error, and if it is the only one. In the binary protocol that is known when the
// multi-get ends, at the next packet that is no quiet get, and has all answers.

// multiget is the multi-get of a client of the binary protocol whose packets are being received.
type multiget struct {
	state multigetState
	key   []byte      // that is held
	form  binary.Form // of its answer
}

// multigetState is how far a multi-get has come:
//
//	none     the last packet was no quiet get
//	open     it was one, and no verb that removes something was among them
//	holding  one was, and is held until the multi-get ends
//	spoiled  a key was refused or had an error, so none such is run
//	running  it has ended, and what was held is being dispatched
type multigetState uint8

const (
	none multigetState = iota
	open
	holding
	spoiled
	running
)
