package front

// What tests of the whole server use.

const (
	MostInTurn       = maxTurn
	MostInFullTurn   = fullTurn
	MostOfLateInput  = lateTurn
	EffortOfVerb     = verbEffort
	MostExpected     = budget
	LeastExpected    = leastGuess
	ExpectedFirst    = carefulFirst
	ConvincingValues = convincing
	MostRefusalsTold = refusedKeysMost
)

// Unserved returns how many bytes of the client's input were not carried out, and whether the request that begins
// there was parsed.
func (c *Client) Unserved() (n int, read bool) { return c.input.pending(), c.input.waiting != nil }

// Owed returns how many replies are outstanding, and how many values they may have.
func (c *Client) Owed() (replies, values int) { return c.replies.Len(), c.replies.Weight }

// HasValue reports whether the client has got a value or a miss.
func (c *Client) HasValue() bool { return c.replies.expected.seen }

// HoldsPop reports whether a verb that removes something is deferred until a multi-get ends.
func (c *Client) HoldsPop() bool { return c.input.multiget.state == holding }

// Busy returns the sum of the bytes of output and of the running verbs; 0 if all is done.
func (c *Client) Busy() int { return c.conn.Out.Memory() + c.callers.running() }

// Entered reports whether the client's requests are carried out.
func (c *Client) Entered() bool { return c.gate.state.passes() }

// IsBlocked reports whether the client's next request has to wait.
func (c *Client) IsBlocked() bool { return c.blocked() }

// IsLeaving, IsHurried and IsFinishing report how far the client has come with leaving; see [departure].
func (c *Client) IsLeaving() bool   { return c.ending() }
func (c *Client) IsHurried() bool   { return c.departure.state > dismissed }
func (c *Client) IsFinishing() bool { return c.departure.state == finishing }

// LingersBriefly reports whether the client's connection lasts for a farewell only.
func (c *Client) LingersBriefly() bool { return c.departure.grace == farewell }

// End ends the client.
func (c *Client) End() { c.abort() }

// GiveUpAfterReload refuses the client's incomplete request, as when memory is short just after a reload.
func (c *Client) GiveUpAfterReload() {
	c.reroute()
	c.giveUp()
}

// BeginTurn begins another turn of the loop, and GoOn carries out what can be in it. Wake wakes a client.
func (l *Loop) BeginTurn()     { l.endRests() }
func (l *Loop) GoOn()          { l.goOn() }
func (l *Loop) Wake(c *Client) { l.wake(c) }

// Effort returns how much was carried out for the client in this turn. ForgetEffort begins to count anew.
func (c *Client) Effort() int   { return c.pace.effort }
func (c *Client) ForgetEffort() { c.pace.effort = 0 }

// IdleGathers returns how many gathers are kept for reuse, and WaitingQueues how many queues of clients there are.
func (l *Loop) IdleGathers() int   { return len(l.reuse.gathers) }
func (l *Loop) WaitingQueues() int { return l.queues.Len() }

// SomebodyAsks reports whether a question for statistics waits at the desk.
func (s *Shared) SomebodyAsks() bool { return s.desk.WillOpen() }
