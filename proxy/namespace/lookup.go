package namespace

// state says what is known of the generation of a namespace on a server:
//
//	unknown ──▶ reading ──▶ known
//	   ▲          │  ▲        │ it turns out to be outdated
//	   │ failed   ▼  │ lost   ▼
//	   └────── creating ◀── (nothing there), or known, if another one is there
type state uint8

const (
	unknown  state = iota
	reading        // the server is asked for it
	creating       // a new one is added
	known
)

// Task is what has to be sent to the server to find or make a generation.
type Task uint8

const (
	// Nothing has to be sent.
	Nothing Task = iota
	// Read is a get of the item under the text of the namespace.
	Read
	// Create is an add of such an item, with the generation [Space.Fresh]. Not a set: another proxy may have made one.
	Create
)

// mostLookups is how many times in a row a generation is asked for and made. Each time but the first, it has vanished in
// the moment since.
const mostLookups = 16
