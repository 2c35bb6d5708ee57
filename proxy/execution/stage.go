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

// begins follows when it begins a verb.
func (s stage) begins() stage {
	if s == unused {
		return working
	}
	return s
}

// delays follows when its operations can't be sent yet.
func (s stage) delays() stage {
	if s == working {
		return delayed
	}
	return s
}

// sends follows when its operations are about to be sent.
func (s stage) sends() stage {
	if s == working || s == delayed {
		return sending
	}
	return s
}

// sent follows when all its operations have been sent, or refused. outstanding says that there will be
// replies.
func (s stage) sent(outstanding bool) stage {
	switch {
	case s != sending:
		return s
	case outstanding:
		return awaiting
	}
	return working
}

// replied follows when the last reply has come.
func (s stage) replied() stage {
	if s == awaiting {
		return working
	}
	return s
}

// putsOff follows when the last reply has come, but too much has been read in this callback.
func (s stage) putsOff() stage {
	if s == awaiting {
		return putOff
	}
	return s
}

// waits follows when it waits for something: it is paused, wants room or a turn, or is suspended.
func (s stage) waits(next stage) stage {
	if s == working && next >= paused {
		return next
	}
	return s
}

// resumes follows when the wait is over.
func (s stage) resumes() stage {
	if s == putOff || s >= paused {
		return working
	}
	return s
}

// ends follows when its verb is done, or abandoned.
func (s stage) ends() stage {
	switch s {
	case working, putOff, paused, wantsTurn:
		return unused
	}
	return s
}
