package verbtest

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Do carries out op. It ends the test if op is malformed.
func (m *Model) Do(t testing.TB, op verbs.Op) verbs.Reply {
	m.done++
	if !protocol.PlainWord(op.Key) {
		t.Fatalf("an operation on the key %q", op.Key)
	}
	if m.Direct {
		return m.carryOut(t, op)
	}
	return m.overWire(t, op)
}

// overWire encodes op, carries out what the bytes say, encodes the reply, and returns
// what its bytes say.
func (m *Model) overWire(t testing.TB, op verbs.Op) verbs.Reply {
	read := ParseOp(t, op.AppendTo(nil))
	if read.Kind != op.Kind || !bytes.Equal(read.Key, op.Key) || !bytes.Equal(read.Data, op.Data) {
		t.Fatalf("%+v went out as %+v", op, read)
	}
	read.Epoch = op.Epoch
	r := m.carryOut(t, read)
	answer := formatReply(&op, r)
	var reply protocol.Reply
	if n, _, err := protocol.ParseReply(answer, &reply); err != nil || n != len(answer) {
		t.Fatalf("%q: %v", answer, err)
	}
	check := protocol.Check{Command: op.Command(), Asked: op.Asked(nil)}
	if !check.Fits(&reply) {
		t.Fatalf("%q does not answer %q", answer, op.AppendTo(nil))
	}
	came := verbs.ParseReply(op.Kind, &reply)
	came.Epoch, came.Indirect, came.Grown = r.Epoch, r.Indirect, r.Grown // the proxy sets these
	if !bytes.Equal(came.Data, r.Data) {
		t.Fatalf("%q came back as %q", r.Data, came.Data)
	}
	if r.Data = came.Data; !reflect.DeepEqual(came, r) {
		t.Fatalf("%+v came back as %+v, by way of %q", r, came, answer)
	}
	return came
}

// ParseOp parses the request for an operation.
func ParseOp(t testing.TB, text []byte) verbs.Op {
	var req protocol.Request
	parser := protocol.Parser{MaxData: 1 << 30}
	n, status := parser.Next(text, &req)
	if status != protocol.Ready || n != len(text) || req.Refusal != "" || req.Quiet {
		t.Fatalf("%q is no request: status %d, %q", text, status, req.Refusal)
	}
	line, _, _ := strings.Cut(string(text), "\r\n")
	_, rest, _ := strings.Cut(strings.TrimPrefix(line, req.Command.String()+" "), " ") // after the key
	op := verbs.Op{Key: bytes.Clone(req.Key), Data: bytes.Clone(req.Data)}
	if req.Command == protocol.MetaDelete {
		op.Kind = verbs.Delete
		if _, err := fmt.Sscanf(rest, "C%d", &op.CAS); err == nil {
			op.Kind = verbs.DeleteIf
		}
		return op
	}
	for _, shape := range []struct {
		kind   verbs.OpKind
		format string
		args   []any
	}{
		{verbs.Fetch, "mg v c f t s k", nil},
		{verbs.Probe, "mg c f t s k", nil},
		{verbs.Touch, "mg T%d", []any{&op.Exptime}},
		{verbs.Append, "append 0 0 %d", []any{new(int)}},
		{verbs.Incr, "incr %d", []any{&op.Number}},
		{verbs.Decr, "decr %d", []any{&op.Number}},
		{verbs.IncrOrCreate, "ma N%d J%d D%d v", []any{&op.Exptime, &op.Number, &op.Number}},
		{verbs.Set, "set %d %d %d", []any{&op.Flags, &op.Exptime, new(int)}},
		{verbs.Add, "add %d %d %d", []any{&op.Flags, &op.Exptime, new(int)}},
		{verbs.AppendIf, "ms %d MA C%d s c", []any{new(int), &op.CAS}},
		{verbs.AppendOrCreate, "ms %d MA N%d s", []any{new(int), &op.Exptime}},
		{verbs.AppendSized, "ms %d MA s", []any{new(int)}},
		{verbs.Swap, "ms %d C%d F%d T%d", []any{new(int), &op.CAS, &op.Flags, &op.Exptime}},
	} {
		// Sscanf ignores text after the format, so compare the number of words too.
		line := req.Command.String() + " " + rest
		if strings.Count(line, " ") != strings.Count(shape.format, " ") {
			continue
		}
		if _, err := fmt.Sscanf(line, shape.format, shape.args...); err == nil {
			op.Kind = shape.kind
			return op
		}
	}
	t.Fatalf("%q is no operation of a verb", text)
	return op
}

// formatReply formats r as memcached's reply to op.
func formatReply(op *verbs.Op, r verbs.Reply) []byte {
	flags := fmt.Sprintf(" c%d f%d t%d s%d k%s\r\n", r.CAS, r.Flags, r.TTL, r.Size, op.Key)
	switch stored := r.Status == verbs.Stored; {
	case r.Status == verbs.Failed:
		return []byte(r.Err + "\r\n")
	case stored && op.Kind == verbs.IncrOrCreate:
		number := strconv.FormatUint(r.Number, 10)
		return fmt.Appendf(nil, "VA %d\r\n%s\r\n", len(number), number)
	case r.Status == verbs.Hit && op.Kind == verbs.Fetch:
		return fmt.Appendf(nil, "VA %d%s%s\r\n", len(r.Data), flags, r.Data)
	case r.Status == verbs.Hit:
		return []byte("HD" + flags)
	case stored && (op.Kind == verbs.Incr || op.Kind == verbs.Decr):
		return fmt.Appendf(nil, "%d\r\n", r.Number)
	case stored && r.CAS > 0:
		return fmt.Appendf(nil, "HD s%d c%d\r\n", r.Size, r.CAS)
	case stored && r.Size > 0:
		return fmt.Appendf(nil, "HD s%d\r\n", r.Size)
	}
	words := map[verbs.Status]string{verbs.Stored: "STORED", verbs.NotStored: "NOT_STORED", verbs.Missing: "NOT_FOUND"}
	switch command := op.Command(); {
	case command == protocol.MetaGet:
		words = map[verbs.Status]string{verbs.Stored: "HD", verbs.Missing: "EN"}
	case command.Meta():
		words = map[verbs.Status]string{verbs.Stored: "HD", verbs.NotStored: "NS", verbs.Exists: "EX", verbs.Missing: "NF"}
	}
	return []byte(words[r.Status] + "\r\n")
}
