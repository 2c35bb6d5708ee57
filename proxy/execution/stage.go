package execution

import "github.com/memverbs/memverbs/proxy/state"

// stage says what an execution does, or what it waits for:
//
//	unused ──▶ working ──▶ sending ──▶ awaiting ──▶ putOff
//	  ▲          │ ▲ ▲ │      ▲           │           │
//	  └──────────┘ │ │ └─▶ delayed        │           │
//	   it is done  │ └────the replies came┴───────────┘ a turn begins
//	               └──▶ paused, wantsMemory, wantsBatch, suspended, and back
//	                    confirming, and then unused
//
// If no operation had to be sent, or all were refused, sending is followed by working. A verb that
// waits to go on can be abandoned, and its execution is unused then.
type stage uint8

const (
	unused      stage = iota // it runs no verb
	working                  // its routine runs
	sending                  // its operations are being sent; it goes on when all are
	awaiting                 // replies are outstanding
	putOff                   // the replies have come, but verbs have read too much in this callback
	delayed                  // nothing was sent: earlier appends come first, or an upstream was not tried yet
	paused                   // its work is long, and goes on in a later turn of the loop
	wantsMemory              // it waits for memory
	wantsBatch               // it waits until it may send a batch
	suspended                // it waits for another verb, or for work on another goroutine
	confirming               // it is done, but whether its answer may be told is not known yet
)

// begins returns the stage that follows when it begins a verb.
func (s stage) begins() stage { return state.Next(s, working, 1<<unused) }

// delays returns the stage that follows when its operations can't be sent yet.
func (s stage) delays() stage { return state.Next(s, delayed, 1<<working) }

// sends returns the stage that follows when its operations are about to be sent.
func (s stage) sends() stage { return state.Next(s, sending, 1<<working|1<<delayed) }

// sent returns the stage that follows when all its operations have been sent or refused. outstanding
// says that there will be replies.
func (s stage) sent(outstanding bool) stage {
	if outstanding {
		return state.Next(s, awaiting, 1<<sending)
	}
	return state.Next(s, working, 1<<sending)
}

// replied returns the stage that follows when the last reply has come.
func (s stage) replied() stage { return state.Next(s, working, 1<<awaiting) }

// putsOff returns the stage that follows when the last reply has come, but too much has been read
// in this callback.
func (s stage) putsOff() stage { return state.Next(s, putOff, 1<<awaiting) }

// waits returns the stage that follows when it waits: it is paused, waits for memory or to send a
// batch, or is suspended.
func (s stage) waits(next stage) stage {
	if s == working && next >= paused {
		return next
	}
	return s
}

// resumes returns the stage that follows when the wait is over.
func (s stage) resumes() stage {
	return state.Next(s, working, 1<<putOff|1<<paused|1<<wantsMemory|1<<wantsBatch|1<<suspended)
}

// ends returns the stage that follows when its verb is done or abandoned.
func (s stage) ends() stage {
	return state.Next(s, unused, 1<<working|1<<putOff|1<<paused|1<<wantsBatch|1<<confirming)
}
