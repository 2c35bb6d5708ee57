package outdated

// The limits of a process: of the number of keys, and of the memory they take, in bytes.
const (
	maxKeys  = 100_000
	maxBytes = 16 << 20
)

// keySize is what a key takes besides its bytes, in bytes.
const keySize = 64
