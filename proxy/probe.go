package proxy

import "time"

// probeEvery is how often an upstream is probed when it is idle.
const probeEvery = time.Second

// watchUpstreams starts probing idle upstreams.
func (l *loop) watchUpstreams() {
	if l.pauses.probeEvery > 0 {
		l.timers.probing = time.AfterFunc(l.pauses.probeEvery, func() { l.post(l.probe) })
	}
}

// probe probes all idle upstreams.
func (l *loop) probe() {
	for _, u := range l.pools.members {
		u.Probe()
	}
	l.timers.probing.Reset(l.pauses.probeEvery)
}
