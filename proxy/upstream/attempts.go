package upstream

import "time"

// Connect starts connecting, unless that was done before.
func (u *Upstream) Connect() {
	if u.reach == untried {
		u.reach = unreached
		u.First.connect()
	}
}

// reconnect connects again after a pause.
func (u *Upstream) reconnect() {
	if u.ends() {
		return
	}
	u.retry = time.AfterFunc(pauseBefore(u.attempts), u.First.connect)
	u.attempts++
}

// hurry connects at once instead of after a pause, because another loop has a connection.
func (u *Upstream) hurry() {
	if !u.ends() && u.retry != nil && u.retry.Stop() {
		u.First.connect()
	}
}

// Prompt connects soon instead of after a long pause, because another pool uses the server again. It does
// not shorten a short pause, so that pools can't make each other try without any pause.
func (u *Upstream) Prompt() {
	if u.attempts > 1 {
		u.attempts = 0 // so that the pause is short if a running attempt fails
		u.hurry()
	}
}
