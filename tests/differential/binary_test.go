package differential

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

const allPackets = 30_000

// What memcached answers in the binary protocol, the proxy answers.
func TestPacketsAreMemcachedsOwn(t *testing.T) {
	all := compareAll(t, allPackets, (*generator).packetStream)
	if !t.Failed() {
		checkVariety(t, all, allPackets, packetVariety)
	}
}

// packetVariety is variety for packets: their statuses.
var packetVariety = map[string][]string{
	"packet store":   {"0x00", "0x01", "0x02", "silence"},
	"packet append":  {"0x00", "0x02", "0x05", "silence"},
	"packet get":     {"0x00", "0x01", "silence"},
	"packet gat":     {"0x00", "0x01", "silence"},
	"packet touch":   {"0x00", "0x01"},
	"packet delete":  {"0x00", "0x01", "0x02", "silence"},
	"packet count":   {"0x00", "0x01", "0x02", "0x06", "silence"},
	"packet flush":   {"0x00", "silence"},
	"packet large":   {"0x00", "0x03", "silence"},
	"packet noop":    {"0x00"},
	"packet version": {"0x00"},
	"packet stat":    {"0x00", "0x01"},
	"packet unknown": {"0x81"},
	"packet broken":  {"0x00", "0x04", "0x81"},
	"gets":           {"VALUE", "END"},
	"mg":             {"HD", "EN"},
}

// unfinished are packets that are not all there.
func unfinished() (texts []string) {
	whole := packet.Request{Opcode: packet.Set, Extras: packet.Words(0, 0), Key: "abc", Value: "value"}
	for n := range len(whole.String()) {
		texts = append(texts, whole.String()[:n])
	}
	for _, opcode := range []byte{packet.Set, packet.AddQ, packet.Append} {
		texts = append(texts, saying(opcode, 1<<20).String()+strings.Repeat("x", 3000))
	}
	return texts
}

// saying returns a packet that says that so many bytes follow its header.
func saying(opcode byte, size uint32) packet.Request {
	r := packet.Request{Opcode: opcode, Extras: rightExtras(opcode), Key: "a"}
	said := r.True()
	said.Body = size
	r.Wrong = &said
	return r
}

// misleading are packets that the newest memcached refuses for their header.
func misleading() (texts []string) {
	for _, opcode := range []byte{packet.Set, packet.Prepend, packet.GetQ, packet.Noop, packet.QuitQ, 0x40} {
		for _, size := range []uint32{1<<30 + 1, 1<<31 - 1, 1 << 31, 1<<31 + 10, 1<<32 - 1} {
			texts = append(texts, saying(opcode, size).String())
		}
	}
	return append(texts, strings.Repeat("\xff", 24))
}

// A part of a packet is not answered, and has no effect.
func TestUnfinishedPackets(t *testing.T) {
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			p := startPair(t, version, 1)
			for _, text := range unfinished() {
				sayLast(t, p, text, (*side).lastHalf)
			}
			ask := packet.Request{Opcode: packet.Get, Key: "abc"}.String()
			sayLast(t, p, ask, (*side).lastHalf)
		})
	}
}

// A packet whose header can't be true is refused as the newest memcached does.
func TestMisleadingHeaders(t *testing.T) {
	p := startPair(t, harness.Newest, 1)
	for _, text := range misleading() {
		sayLast(t, p, text, (*side).last)
	}
}

// sayLast says something to both sides, and expects both to say the same and to hang up.
func sayLast(t *testing.T, p *pair, text string, say func(s *side, text string) (string, error)) {
	t.Helper()
	r := &run{pair: p}
	defer r.hangUp(packets)
	sides, err := r.connect(packets)
	if err != nil {
		t.Fatal(err)
	}
	var said [2]string
	for i, s := range sides {
		if said[i], err = say(s, text); err != nil {
			t.Errorf("%s: %v does not hang up: %q, %v", abridge(text), sideName(i), said[i], err)
		}
	}
	if said[direct] != said[proxied] {
		t.Errorf("%s: %q became %q", abridge(text), said[direct], said[proxied])
	}
}
