package moving

// Kind is what matters of a command while its key moves.
type Kind uint8

const (
	// Get is a command that only reads.
	Get Kind = iota
	// Gets is one that also tells the CAS, which must be the new server's.
	Gets
	// Set stores whatever is there.
	Set
	// Remove is a delete.
	Remove
	// Change is a command on the item that is there, which leaves a placeholder as it is, or tells that it has met one: incr,
	// decr, cas, touch, gat, and what is done under a CAS.
	Change
	// Rewrite is a command on the item that is there, which would take a placeholder for an item: replace, append and prepend.
	Rewrite
	// Add stores where there is no item.
	Add
	// Count is a Change that creates the item if there is none: ma with N.
	Count
	// Bring moves the item, for no client.
	Bring
)
