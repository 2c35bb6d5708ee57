package execution

// stage tells what an execution does, or what it waits for:
//
//	unused ──▶ working ──▶ sending ──▶ awaiting ──▶ putOff
//	  ▲          │ ▲ ▲ │      ▲           │           │
//	  └──────────┘ │ │ └─▶ delayed        │           │
//	   it is done  │ └────the replies came┴───────────┘ a turn begins
//	               └──▶ paused, wantsRoom, wantsTurn, suspended, and back
//
// It is sending and then working again if no operation had to be sent, or all were refused. A verb that
// waits for its turn can be abandoned, so that it is unused.
type stage uint8

const (
	unused    stage = iota // it runs no verb
	working                // its routine runs
	sending                // its operations are being sent, and it does not go on before all are
	awaiting               // replies are outstanding
	putOff                 // the replies have come, but verbs have read enough in this callback
	delayed                // nothing was sent: earlier appends come first, or an upstream is not known yet
	paused                 // its work is long, and goes on in a later turn
	wantsRoom              // it waits for memory
	wantsTurn              // it waits until it may send a batch
	suspended              // it waits for another verb, or for work on another goroutine
)

// to returns next if s is one of from, in which state n is bit n, and s otherwise.
func (s stage) to(next stage, from uint16) stage {
	if from>>s&1 != 0 {
		return next
	}
	return s
}

// begins follows when it begins a verb.
func (s stage) begins() stage { return s.to(working, 1<<unused) }

// delays follows when its operations can't be sent yet.
func (s stage) delays() stage { return s.to(delayed, 1<<working) }

// sends follows when its operations are about to be sent.
func (s stage) sends() stage { return s.to(sending, 1<<working|1<<delayed) }

// sent follows when all its operations have been sent, or refused. outstanding says that there will be
// replies.
func (s stage) sent(outstanding bool) stage {
	if outstanding {
		return s.to(awaiting, 1<<sending)
	}
	return s.to(working, 1<<sending)
}

// replied follows when the last reply has come.
func (s stage) replied() stage { return s.to(working, 1<<awaiting) }

// putsOff follows when the last reply has come, but too much has been read in this callback.
func (s stage) putsOff() stage { return s.to(putOff, 1<<awaiting) }

// waits follows when it waits for something: it is paused, wants room or a turn, or is suspended.
func (s stage) waits(next stage) stage {
	if s == working && next >= paused {
		return next
	}
	return s
}

// resumes follows when the wait is over.
func (s stage) resumes() stage {
	return s.to(working, 1<<putOff|1<<paused|1<<wantsRoom|1<<wantsTurn|1<<suspended)
}

// ends follows when its verb is done, or abandoned.
func (s stage) ends() stage { return s.to(unused, 1<<working|1<<putOff|1<<paused|1<<wantsTurn) }
