package moving

// Outcome is how a server has replied to an operation.
type Outcome uint8

const (
	// Lost: there is no reply, so nobody knows whether the operation was carried out.
	Lost Outcome = iota
	// Done: it was carried out.
	Done
	// Absent: there is no item, and so nothing was done.
	Absent
	// Present: there is an item already, and so nothing was created.
	Present
	// Changed: the item has another CAS, and so nothing was done.
	Changed
	// Refused: the server, or the proxy, has answered with an error.
	Refused
)

// Reply is a reply to an operation.
type Reply struct {
	Outcome Outcome
	// Placeholder says that the item is a placeholder, in replies to Look and to Act.
	Placeholder bool
	// Item is what a Look has found. In replies to what has stored an item it is only its CAS.
	Item Item
}

// found reports whether a Look has found an item of clients.
func (r *Reply) found() bool { return r.Outcome == Done && !r.Placeholder }

// reserved reports whether a Look has found a placeholder.
func (r *Reply) reserved() bool { return r.Outcome == Done && r.Placeholder }
