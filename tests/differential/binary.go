package differential

import (
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/tests/packet"
)

// packetKinds says how often each kind of packet comes.
var packetKinds = []kind{
	{24, (*generator).packetStore},
	{6, (*generator).packetAppend},
	{20, (*generator).packetGet},
	{5, (*generator).packetGetAndTouch},
	{3, (*generator).packetTouch},
	{5, (*generator).packetDelete},
	{12, (*generator).packetCount},
	{3, (*generator).packetGlobal},
	{2, (*generator).packetUnknown},
	{1, (*generator).packetBroken},
}

// packetStream returns n packets or some more, or as many packets and commands of the text
// protocol together.
func (g *generator) packetStream(n int) (stream []command) {
	g.mixed, g.dense = g.chance(2), g.chance(2)
	for len(stream) < n {
		for range 1 + g.IntN(60) {
			c := g.pick(packetKinds)
			g.place(&c)
			stream = append(stream, c)
		}
		if g.mixed {
			stream = append(stream, g.stream(1+g.IntN(20))...)
		}
		if g.chance(20) {
			stream = append(stream, g.packetFlush()...)
		}
	}
	if g.chance(5) { // they cost time
		// Last, for after them the proxy gets by a second connection, so that memcached may
		// count on the first while it is still sending the item.
		for range 6 {
			stream = append(stream, g.packetLarge())
		}
	}
	return stream
}

// packetCommand makes a command of a packet. The CAS of the packet is kept if it is not 0.
func (g *generator) packetCommand(name string, r packet.Request) command {
	r.Opaque = 1 + uint32(g.IntN(firstProbe-1))
	if g.chance(20) { // of which memcached makes nothing
		r.DataType, r.VBucket = byte(g.IntN(256)), uint16(g.IntN(1<<16))
	}
	c := command{name: name, protocol: packets, opaque: r.Opaque, about: r.Key}
	header := r.Header()
	if r.CAS != 0 || !g.chance(6) || r.Key == "" || g.names(name, "get", "touch") {
		c.add(header, r.Body())
		return c
	}
	c.add(header[:packet.CASOffset])
	g.addRawID(&c, r.Key)
	c.add(r.Body())
	return c
}

func (g *generator) names(name string, kinds ...string) bool {
	for _, k := range kinds {
		if strings.HasPrefix(name, "packet "+k) {
			return true
		}
	}
	return false
}

// addRawID adds a CAS id: most often one that the item has had.
func (g *generator) addRawID(c *command, key string) {
	switch g.IntN(6) {
	case 0:
		c.add(packet.Number([]uint64{1 << 63, 1<<64 - 1, 1 << 40}[g.IntN(3)]))
	default:
		c.text = append(c.text, piece{key: key, back: g.IntN(6) / 4, raw: true})
	}
}

// packetKey returns a key.
func (g *generator) packetKey() string {
	switch {
	case g.mixed: // memcached tells clients of the text protocol whether a key was stored in base64
	case g.chance(12):
		return binaryKeys[g.IntN(len(binaryKeys))]
	case g.chance(50):
		return lineEndKey
	}
	return g.key()
}

// opcode returns one of the opcodes.
func (g *generator) opcode(choices ...byte) byte { return choices[g.IntN(len(choices))] }

func (g *generator) packetStore() command {
	opcode := g.opcode(packet.Set, packet.Set, packet.Set, packet.Add, packet.Replace, packet.SetQ, packet.AddQ, packet.ReplaceQ)
	flags := []uint32{0, 0, 0, 1, 65535, 1 << 31, 1<<32 - 1}[g.IntN(7)]
	extras := packet.Words(flags, g.packetExptime())
	return g.packetCommand("packet store", packet.Request{Opcode: opcode, Extras: extras, Key: g.packetKey(), Value: g.value()})
}

func (g *generator) packetAppend() command {
	opcode := g.opcode(packet.Append, packet.Prepend, packet.AppendQ, packet.PrependQ)
	return g.packetCommand("packet append", packet.Request{Opcode: opcode, Key: g.packetKey(), Value: g.value()})
}

func (g *generator) packetGet() command {
	opcode := g.opcode(packet.Get, packet.Get, packet.GetQ, packet.GetK, packet.GetKQ)
	return g.fetching(g.packetCommand("packet get", packet.Request{Opcode: opcode, Key: g.packetKey(), CAS: uint64(g.IntN(2))}))
}

func (g *generator) packetGetAndTouch() command {
	opcode := g.opcode(packet.GAT, packet.GATQ, packet.GATK, packet.GATKQ)
	r := packet.Request{Opcode: opcode, Extras: packet.Words(g.packetExptime()), Key: g.packetKey()}
	return g.fetching(g.packetCommand("packet gat", r))
}

func (g *generator) fetching(c command) command {
	c.fetches = []string{c.about}
	return c
}

func (g *generator) packetTouch() command {
	extras := packet.Words(g.packetExptime())
	// The proxy touches by a meta get, for which memcached has the item in hand as for any other.
	return g.fetching(g.packetCommand("packet touch", packet.Request{Opcode: packet.Touch, Extras: extras, Key: g.packetKey()}))
}

func (g *generator) packetDelete() command {
	return g.packetCommand("packet delete", packet.Request{Opcode: g.opcode(packet.Delete, packet.DeleteQ), Key: g.packetKey()})
}

func (g *generator) packetCount() command {
	opcode := g.opcode(packet.Increment, packet.Decrement, packet.IncrementQ, packet.DecrementQ)
	exptime := uint32(1<<32 - 1)
	if g.chance(3) {
		exptime = g.packetExptime()
	}
	c := g.packetCommand("packet count",
		packet.Request{Opcode: opcode, Extras: packet.Counting(g.packetNumber(), g.packetNumber(), exptime), Key: g.packetKey()})
	c.key = c.about
	return c
}

// packetNumber returns how much to count, or where to begin.
func (g *generator) packetNumber() uint64 {
	if g.chance(5) {
		if n, err := strconv.ParseUint(g.huge(), 10, 64); err == nil && (g.modern || n < 1<<63) {
			return n
		}
	}
	return uint64(g.IntN(200))
}

// packetExptime returns a time to live; see [generator.exptime].
func (g *generator) packetExptime() uint32 {
	switch g.IntN(12) {
	case 0:
		return []uint32{2592001, 3000000}[g.IntN(2)] // over
	case 1:
		return uint32(g.now + apart*int64(1+g.IntN(50)))
	case 2:
		return []uint32{2592000, 1<<31 - 1}[g.IntN(2)]
	case 3:
		if !g.mixed { // text shows that the proxy takes these for never
			return []uint32{1 << 31, 1<<32 - 2, 1<<32 - 1}[g.IntN(3)]
		}
	case 4, 5:
		return uint32(apart * (1 + g.IntN(50)))
	}
	return 0
}

// packetGlobal makes a packet that is about no item.
func (g *generator) packetGlobal() command {
	switch g.IntN(4) {
	case 0:
		return g.packetCommand("packet noop", packet.Request{Opcode: packet.Noop})
	case 1:
		return g.packetCommand("packet version", packet.Request{Opcode: packet.Version})
	}
	return g.packetCommand("packet stat", packet.Request{Opcode: packet.Stat, Key: g.one("reset", "nonsense", "more nonsense"), CAS: 5})
}

// packetFlush makes a flush; see [generator.flush].
func (g *generator) packetFlush() []command {
	r := packet.Request{Opcode: g.opcode(packet.Flush, packet.FlushQ)}
	if g.chance(2) {
		r.Extras = packet.Words([]uint32{0, 100000, 2592000, 2592001, uint32(g.now + 100000)}[g.IntN(5)])
	}
	c := g.packetCommand("packet flush", r)
	c.settled, c.last, c.probed = true, true, true
	after := command{name: "get", settled: true, last: true, probed: true, fetches: keys}
	after.add(purge)
	return []command{c, after}
}

// packetUnknown makes a packet with an opcode that memcached does not know. It skips as many
// bytes after the packet as that has of extras and key, so it is sent more.
func (g *generator) packetUnknown() command {
	r := packet.Request{Opcode: g.opcode(packet.Verbosity, packet.SASLList, 0x1f, 0x25, 0x30, 0x3e, 0x40, 0x80, 0xff)}
	if r.Opcode != packet.SASLList && g.chance(2) {
		r.Extras, r.Key, r.Value = strings.Repeat("e", g.IntN(30)), g.one("", g.packetKey()), g.one("", g.value())
	}
	c := g.packetCommand("packet unknown", r)
	c.about, c.only[direct] = "", strings.Repeat("\x00", len(r.Extras)+len(r.Key))
	return c
}

// packetLarge makes a packet with a value near the limit of an item, or beyond it.
func (g *generator) packetLarge() command {
	sizes := []int{-300 + g.IntN(400), -400_000, 1, 1000, 500_000, -700_000, -500_000}
	value := strings.Repeat("x", 1<<20+sizes[g.IntN(len(sizes))])
	r := packet.Request{Key: largeKeys[g.IntN(len(largeKeys))]}
	switch g.IntN(5) {
	case 0:
		r.Opcode = g.opcode(packet.GetKQ, packet.GetK, packet.Get, packet.Delete)
	case 1:
		r.Opcode, r.Value = g.opcode(packet.Append, packet.PrependQ), value
	default:
		// Mostly Set, or a run in which none of the values is stored would come now and then.
		r.Opcode, r.Value = g.opcode(packet.Set, packet.Set, packet.Set, packet.Set, packet.SetQ, packet.SetQ, packet.Add, packet.Replace), value
		r.Extras = packet.Words(0, 0)
	}
	c := g.fetching(g.packetCommand("packet large", r))
	c.settled, c.probed = true, true
	return c
}

// packetBroken makes a packet after which memcached hangs up.
func (g *generator) packetBroken() command {
	r := packet.Request{Key: g.packetKey()}
	switch g.IntN(6) {
	case 0: // extras of another length
		r.Opcode = byte(g.IntN(packet.Verbosity))
		r.Extras = strings.Repeat("\x00", 1+g.IntN(3)+4*g.IntN(8))
	case 1: // no key, or one too long
		r.Opcode = g.opcode(packet.Get, packet.GetKQ, packet.Delete, packet.Append, packet.SetQ, packet.Increment, packet.Touch)
		r.Key = g.one("", longKeys[g.IntN(len(longKeys))])
		r.Extras = rightExtras(r.Opcode)
	case 2: // a value
		r.Opcode = g.opcode(packet.Get, packet.GetKQ, packet.Delete, packet.Noop, packet.Version, packet.QuitQ, packet.Flush, packet.Increment)
		r.Extras, r.Value = rightExtras(r.Opcode), "value"
	case 3: // a length that contradicts the others
		r.Opcode = g.opcode(packet.Get, packet.Set, packet.Noop, 0x80)
		said := r.True()
		said.Body = uint32(g.IntN(len(r.Key)))
		r.Wrong = &said
	case 4:
		r.Opcode, r.Key = g.opcode(packet.Quit, packet.QuitQ), ""
	case 5:
		said := r.True()
		said.Magic = byte(g.IntN(256))
		if said.Magic == 0x80 {
			said.Magic = 0x81
		}
		r.Wrong = &said
	}
	c := g.packetCommand("packet broken", r)
	c.about = ""
	c.parting, c.settled, c.probed = true, true, true // memcached may drop answers that it has not sent yet
	return c
}

// rightExtras returns extras as an opcode has them.
func rightExtras(opcode byte) string {
	switch opcode {
	case packet.Set, packet.Add, packet.Replace, packet.SetQ, packet.AddQ, packet.ReplaceQ:
		return packet.Words(0, 0)
	case packet.Increment, packet.Decrement, packet.IncrementQ, packet.DecrementQ:
		return packet.Counting(1, 1, 0)
	case packet.Touch, packet.GAT, packet.GATQ, packet.GATK, packet.GATKQ:
		return packet.Words(0)
	}
	return ""
}
