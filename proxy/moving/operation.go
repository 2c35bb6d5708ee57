package moving

// Server is one of the two servers of a key that moves.
type Server uint8

const (
	// Old is the server that had the key before.
	Old Server = iota
	// New is the server that is to have it.
	New
)

// Action is what a server is asked to do.
type Action uint8

const (
	// Nothing is asked.
	Nothing Action = iota
	// Look asks for the item as a whole: its data, flags, time to live and CAS.
	Look
	// Act carries out the client's command, in a form that creates no item unless it is a set.
	Act
	// Create stores what the client's command creates: where there is no item, or in place of the one with the CAS.
	Create
	// Reserve stores a [Placeholder] where there is no item. Its CAS is the token.
	Reserve
	// Fill stores the item of the other server.
	Fill
	// Delete deletes the item.
	Delete
)

// Operation is one memcached operation on the key.
type Operation struct {
	At Server
	Do Action
	// If is the CAS that the item must have for the operation to be carried out, 0 if it is carried out in any case.
	If uint64
}
