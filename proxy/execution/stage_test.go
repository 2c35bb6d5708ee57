package execution

import "testing"

// What follows each stage for each event.
func TestStage(t *testing.T) {
	t.Parallel()
	stages := []stage{unused, working, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}
	waits := func(next stage) func(stage) stage { return func(s stage) stage { return s.waits(next) } }
	for name, event := range map[string]struct {
		to      func(stage) stage
		follows []stage
	}{
		"begins":          {stage.begins, []stage{working, working, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"delays":          {stage.delays, []stage{unused, delayed, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"sends":           {stage.sends, []stage{unused, sending, sending, awaiting, putOff, sending, paused, wantsMemory, wantsBatch, suspended}},
		"sent":            {func(s stage) stage { return s.sent(true) }, []stage{unused, working, awaiting, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"sent nothing":    {func(s stage) stage { return s.sent(false) }, []stage{unused, working, working, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"replied":         {stage.replied, []stage{unused, working, sending, working, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"puts off":        {stage.putsOff, []stage{unused, working, sending, putOff, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"pauses":          {waits(paused), []stage{unused, paused, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"waits for room":  {waits(wantsMemory), []stage{unused, wantsMemory, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"waits for batch": {waits(wantsBatch), []stage{unused, wantsBatch, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"waits for other": {waits(suspended), []stage{unused, suspended, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"waits for none":  {waits(awaiting), []stage{unused, working, sending, awaiting, putOff, delayed, paused, wantsMemory, wantsBatch, suspended}},
		"resumes":         {stage.resumes, []stage{unused, working, sending, awaiting, working, delayed, working, working, working, working}},
		"ends":            {stage.ends, []stage{unused, unused, sending, awaiting, unused, delayed, unused, wantsMemory, unused, suspended}},
	} {
		for i, state := range stages {
			if next := event.to(state); next != event.follows[i] {
				t.Errorf("stage %d, %s: stage %d follows, expected %d", state, name, next, event.follows[i])
			}
		}
	}
}
