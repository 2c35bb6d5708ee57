package front

// What tests of the whole server use.

var (
	LeastExpected = usual.least
	ExpectedFirst = careful.first
)

const (
	MostExpected     = budget
	ConvincingValues = convincing
	MostRefusalsTold = refusedKeysMost
)

// Owed returns how many replies are outstanding, and how many values they may have.
func (c *Client) Owed() (replies, values int) { return c.replies.Len(), c.replies.Weight }

// DefersPop reports whether a verb that removes something is deferred until a multi-get ends.
func (c *Client) DefersPop() bool {
	return c.input.binary != nil && c.input.binary.multiget.state == deferring
}

// Busy returns the sum of the bytes of output and of the running verbs; 0 if all is done.
func (c *Client) Busy() int { return c.conn.Out.Memory() + c.callers.running() }

// IdleGathers returns how many gathers are kept for reuse, and WaitingQueues how many queues of clients there are.
func (l *Loop) IdleGathers() int   { return len(l.reuse.gathers) }
func (l *Loop) WaitingQueues() int { return l.queues.Len() }

// SomebodyAsks reports whether a question for statistics waits at the desk.
func (s *Shared) SomebodyAsks() bool { return s.desk.WillOpen() }
