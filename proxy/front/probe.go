package front

import "time"

// watchUpstreams starts probing idle upstreams.
func (l *Loop) watchUpstreams() {
	if l.Pauses.ProbeEvery > 0 {
		l.timers.probing = time.AfterFunc(l.Pauses.ProbeEvery, func() { l.Post(l.probe) })
	}
}

// probe probes all idle upstreams.
func (l *Loop) probe() {
	for _, u := range l.Pools.Members {
		u.Probe()
	}
	if l == l.Loops[0] {
		l.sweepNear()
	}
	l.timers.probing.Reset(l.Pauses.ProbeEvery)
}
