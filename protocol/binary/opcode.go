package binary

// kind is what the commands of several opcodes have in common.
type kind uint8

const (
	unknown kind = iota
	get
	touch
	store
	concat
	remove
	count
	flush
	noop
	version
	stat
	quit
	mechanisms
	auth
)

// command describes an opcode.
type command struct {
	kind   kind
	extras int  // bytes
	quiet  bool // the expected outcome has no answer
	keyed  bool // the key is returned
	mode   byte // of ms or ma; 0 for their default
}

// The opcodes of memcached. It does not know verbosity either.
var commands = [256]command{
	0x00: {kind: get},
	0x01: {kind: store, extras: 8},
	0x02: {kind: store, extras: 8, mode: 'E'},
	0x03: {kind: store, extras: 8, mode: 'R'},
	0x04: {kind: remove},
	0x05: {kind: count, extras: 20},
	0x06: {kind: count, extras: 20, mode: 'D'},
	0x07: {kind: quit},
	0x08: {kind: flush},
	0x09: {kind: get, quiet: true},
	0x0a: {kind: noop},
	0x0b: {kind: version},
	0x0c: {kind: get, keyed: true},
	0x0d: {kind: get, quiet: true, keyed: true},
	0x0e: {kind: concat, mode: 'A'},
	0x0f: {kind: concat, mode: 'P'},
	0x10: {kind: stat},
	0x11: {kind: store, extras: 8, quiet: true},
	0x12: {kind: store, extras: 8, quiet: true, mode: 'E'},
	0x13: {kind: store, extras: 8, quiet: true, mode: 'R'},
	0x14: {kind: remove, quiet: true},
	0x15: {kind: count, extras: 20, quiet: true},
	0x16: {kind: count, extras: 20, quiet: true, mode: 'D'},
	0x17: {kind: quit, quiet: true},
	0x18: {kind: flush, quiet: true},
	0x19: {kind: concat, quiet: true, mode: 'A'},
	0x1a: {kind: concat, quiet: true, mode: 'P'},
	0x1c: {kind: touch, extras: 4},
	0x1d: {kind: get, extras: 4},
	0x1e: {kind: get, extras: 4, quiet: true},
	0x20: {kind: mechanisms},
	0x21: {kind: auth},
	0x22: {kind: auth},
	0x23: {kind: get, extras: 4, keyed: true},
	0x24: {kind: get, extras: 4, quiet: true, keyed: true},
}

// known reports whether the commands are known to a parser that knows those for authentication
// only if sasl is set.
func (c *command) known(sasl bool) bool {
	return c.kind != unknown && (sasl || c.kind != mechanisms && c.kind != auth)
}

// hasValue reports whether a value follows the key.
func (c *command) hasValue() bool { return c.kind == store || c.kind == concat || c.kind == auth }

// bundles reports whether packets of the opcode are bundled with those like them that follow.
func (c *command) bundles() bool { return c.kind == get && c.quiet && c.extras == 0 }

// Bundles reports whether a packet with that opcode may become one request with those that follow.
func Bundles(opcode byte) bool { return commands[opcode].bundles() }

// fits reports whether a packet has the parts that its command has.
func (c *command) fits(h *header) bool {
	extras := h.extras == c.extras
	switch c.kind {
	case store, concat, auth:
		return extras && h.key > 0
	case get, touch, remove, count:
		return extras && h.key > 0 && h.value() == 0
	case stat:
		return extras && h.value() == 0
	case flush:
		return (h.extras == 0 || h.extras == 4) && h.body == h.extras
	}
	return h.body == 0
}
