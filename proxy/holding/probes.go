package holding

// Others may store a key directly, or through another process. So one of those who wait for a key asks for it from time to
// time.

// probeEvery is the time between two probes of a key, in microseconds.
const probeEvery = 20_000

// probing is how far a making has come with its next probe:
//
//	idle ──a get waits──▶ planned ──its time──▶ asked ──no value──▶ planned, or idle if no get waits
type probing uint8

const (
	idle probing = iota
	planned
	asked
)

// probe is a planned probe.
type probe struct {
	of *making
	at int64
}

// probes are the planned probes in the order of their times.
type probes []probe

// plan plans the next probe of e.
func (s *probes) plan(e *making, now int64) {
	e.probing = planned
	*s = append(*s, probe{e, now + probeEvery})
}

// next returns the making whose probe is due by now, nil if there is none.
func (s *probes) next(now int64) *making {
	if len(*s) == 0 || (*s)[0].at > now {
		return nil
	}
	e := (*s)[0].of
	(*s)[0], *s = probe{}, (*s)[1:]
	return e
}
