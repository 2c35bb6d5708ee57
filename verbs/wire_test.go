package verbs

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// overWire carries out op as its bytes say it, and returns what the bytes of
// the answer say.
func (m *model) overWire(t testing.TB, op Op) Reply {
	read := parseOp(t, op.AppendTo(nil))
	if read.Kind != op.Kind || !bytes.Equal(read.Key, op.Key) || !bytes.Equal(read.Data, op.Data) {
		t.Fatalf("%+v went out as %+v", op, read)
	}
	read.Epoch = op.Epoch
	r := m.carryOut(t, read)
	answer := formatReply(op.Kind, r)
	var reply protocol.Reply
	if n, _, err := protocol.ParseReply(answer, &reply); err != nil || n != len(answer) {
		t.Fatalf("%q: %v", answer, err)
	}
	check := protocol.Check{Command: op.Command(), Asked: op.Asked(nil)}
	if !check.Fits(&reply) {
		t.Fatalf("%q does not answer %q", answer, op.AppendTo(nil))
	}
	came := ParseReply(op.Kind, &reply)
	came.Epoch, came.Grown = r.Epoch, r.Grown // which are for the proxy to know
	if !bytes.Equal(came.Data, r.Data) {
		t.Fatalf("%q came back as %q", r.Data, came.Data)
	}
	if r.Data = came.Data; !reflect.DeepEqual(came, r) {
		t.Fatalf("%+v came back as %+v, by way of %q", r, came, answer)
	}
	return came
}

// parseOp reads an operation from the bytes that ask for it.
func parseOp(t testing.TB, text []byte) Op {
	var req protocol.Request
	parser := protocol.Parser{MaxData: 1 << 30}
	n, status := parser.Next(text, &req)
	if status != protocol.Ready || n != len(text) || req.Refusal != "" || req.Quiet {
		t.Fatalf("%q is no request: status %d, %q", text, status, req.Refusal)
	}
	line, _, _ := strings.Cut(string(text), "\r\n")
	_, rest, _ := strings.Cut(strings.TrimPrefix(line, req.Command.String()+" "), " ") // behind the key
	op := Op{Key: bytes.Clone(req.Key), Data: bytes.Clone(req.Data)}
	if req.Command == protocol.MetaDelete {
		op.Kind = Delete
		if _, err := fmt.Sscanf(rest, "C%d", &op.CAS); err == nil {
			op.Kind = DeleteIf
		}
		return op
	}
	for _, shape := range []struct {
		kind   OpKind
		format string
		args   []any
	}{
		{Fetch, "mg v c f t s k", nil},
		{Probe, "mg c f t s k", nil},
		{Touch, "mg T%d", []any{&op.Exptime}},
		{Append, "append 0 0 %d", []any{new(int)}},
		{Add, "add %d %d %d", []any{&op.Flags, &op.Exptime, new(int)}},
		{AppendIf, "ms %d MA C%d s c", []any{new(int), &op.CAS}},
		{AppendOrCreate, "ms %d MA N%d s", []any{new(int), &op.Exptime}},
		{AppendSized, "ms %d MA s", []any{new(int)}},
		{Swap, "ms %d C%d F%d T%d", []any{new(int), &op.CAS, &op.Flags, &op.Exptime}},
	} {
		// Scanning stops where the format does, so look at the number of words too.
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

// formatReply is what memcached says when an operation had outcome r.
func formatReply(kind OpKind, r Reply) []byte {
	meta := kind != Append && kind != Add
	flags := fmt.Sprintf(" c%d f%d t%d s%d\r\n", r.CAS, r.Flags, r.TTL, r.Size)
	switch {
	case r.Status == Failed:
		return []byte(r.Err + "\r\n")
	case r.Status == Hit && kind == Fetch:
		return fmt.Appendf(nil, "VA %d%s%s\r\n", len(r.Data), flags, r.Data)
	case r.Status == Hit:
		return []byte("HD" + flags)
	case r.Status == Missing && (kind == Swap || kind == Delete || kind == DeleteIf):
		return []byte("NF\r\n")
	case r.Status == Missing:
		return []byte("EN\r\n")
	case r.Status == Exists:
		return []byte("EX\r\n")
	case r.Status == Stored && r.CAS > 0:
		return fmt.Appendf(nil, "HD s%d c%d\r\n", r.Size, r.CAS)
	case r.Status == Stored && r.Size > 0:
		return fmt.Appendf(nil, "HD s%d\r\n", r.Size)
	case r.Status == Stored && meta:
		return []byte("HD\r\n")
	case r.Status == Stored:
		return []byte("STORED\r\n")
	case meta:
		return []byte("NS\r\n")
	}
	return []byte("NOT_STORED\r\n")
}

func TestOpAppendTo(t *testing.T) {
	key, data := []byte("some:key"), []byte("a\r\nb")
	for _, test := range []struct {
		op      Op
		command protocol.Command
		want    string
	}{
		{Op{Kind: Fetch, Key: key}, protocol.MetaGet, "mg some:key v c f t s k\r\n"},
		{Op{Kind: Probe, Key: key}, protocol.MetaGet, "mg some:key c f t s k\r\n"},
		{Op{Kind: Touch, Key: key, Exptime: 90}, protocol.MetaGet, "mg some:key T90\r\n"},
		{Op{Kind: Append, Key: key, Data: data}, protocol.Append, "append some:key 0 0 4\r\na\r\nb\r\n"},
		{Op{Kind: Add, Key: key, Data: data, Exptime: 5}, protocol.Add, "add some:key 0 5 4\r\na\r\nb\r\n"},
		{Op{Kind: AppendOrCreate, Key: key, Data: data}, protocol.MetaSet, "ms some:key 4 MA N0 s\r\na\r\nb\r\n"},
		{Op{Kind: AppendOrCreate, Key: key, Data: data, Exptime: 1<<31 - 1}, protocol.MetaSet,
			"ms some:key 4 MA N2147483647 s\r\na\r\nb\r\n"},
		{Op{Kind: Swap, Key: key, Data: data, CAS: 1<<64 - 1, Flags: 1<<32 - 1, Exptime: 7}, protocol.MetaSet,
			"ms some:key 4 C18446744073709551615 F4294967295 T7\r\na\r\nb\r\n"},
		{Op{Kind: AppendSized, Key: key, Data: data}, protocol.MetaSet, "ms some:key 4 MA s\r\na\r\nb\r\n"},
		{Op{Kind: AppendIf, Key: key, Data: data, CAS: 5}, protocol.MetaSet, "ms some:key 4 MA C5 s c\r\na\r\nb\r\n"},
		{Op{Kind: Delete, Key: key}, protocol.MetaDelete, "md some:key\r\n"},
		{Op{Kind: DeleteIf, Key: key, CAS: 9}, protocol.MetaDelete, "md some:key C9\r\n"},
		{Op{Kind: Swap, Key: key, CAS: 1}, protocol.MetaSet, "ms some:key 0 C1 F0 T0\r\n\r\n"},
	} {
		if got := string(test.op.AppendTo([]byte("before;"))); got != "before;"+test.want {
			t.Errorf("%+v: %q, expected %q", test.op, got, test.want)
		}
		if got := test.op.Command(); got != test.command {
			t.Errorf("%+v: command %v, expected %v", test.op, got, test.command)
		}
		if got := parseOp(t, test.op.AppendTo(nil)); got.Kind != test.op.Kind || got.Exptime != test.op.Exptime ||
			got.CAS != test.op.CAS || got.Flags != test.op.Flags || !bytes.Equal(got.Data, test.op.Data) {
			t.Errorf("%+v was read as %+v", test.op, got)
		}
	}
}

func TestParseReply(t *testing.T) {
	for _, test := range []struct {
		kind OpKind
		line string
		want Reply
	}{
		{Fetch, "STORED", Reply{Status: Stored}},
		{Swap, "HD", Reply{Status: Stored}},
		{Probe, "HD", Reply{Status: Hit}},
		{AppendSized, "HD s12", Reply{Status: Stored, Size: 12}},
		{Fetch, "NOT_STORED", Reply{Status: NotStored}},
		{Fetch, "NS", Reply{Status: NotStored}},
		{Fetch, "EXISTS", Reply{Status: Exists}},
		{Fetch, "EX", Reply{Status: Exists}},
		{Fetch, "NOT_FOUND", Reply{Status: Missing}},
		{Fetch, "NF", Reply{Status: Missing}},
		{Fetch, "EN", Reply{Status: Missing}},
		{Probe, "HD c7 f3 t-1 s0", Reply{Status: Hit, CAS: 7, Flags: 3, TTL: -1}},
		{Probe, "HD t7", Reply{Status: Hit, TTL: 7}},
		{Probe, "HD c7 f3 t0 s5 W Z X", Reply{Status: Hit, CAS: 7, Flags: 3, Size: 5}},
		{Fetch, "VA 0 c18446744073709551615 f4294967295 t99\r\n", Reply{Status: Hit, CAS: 1<<64 - 1, Flags: 1<<32 - 1, TTL: 99}},
		{Fetch, "VA 4 c1 f2 t3\r\n\r\n\r\n", Reply{Status: Hit, CAS: 1, Flags: 2, TTL: 3, Data: []byte("\r\n\r\n")}},
		{Fetch, "SERVER_ERROR out of memory storing object", Reply{Err: "SERVER_ERROR out of memory storing object"}},
		{Fetch, "ERROR", Reply{Err: "SERVER_ERROR the upstream answered: ERROR"}},
		{Fetch, "CLIENT_ERROR bad data chunk", Reply{Err: "SERVER_ERROR the upstream answered: CLIENT_ERROR bad data chunk"}},
		{Fetch, "OK", Reply{Err: "SERVER_ERROR the upstream answered: OK"}},
		{Fetch, "17", Reply{Err: "SERVER_ERROR the upstream answered: 17"}},
		{Fetch, "VERSION 1.6.38", Reply{Err: "SERVER_ERROR the upstream answered: VERSION 1.6.38"}},
	} {
		var reply protocol.Reply
		text := []byte(test.line + "\r\n")
		if n, _, err := protocol.ParseReply(text, &reply); err != nil || n != len(text) {
			t.Fatalf("%q: %v", test.line, err)
		}
		got := ParseReply(test.kind, &reply)
		if len(got.Data) == 0 {
			got.Data = nil
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: %+v, expected %+v", test.line, got, test.want)
		}
	}
}
