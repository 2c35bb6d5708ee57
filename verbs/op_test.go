package verbs_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestOpAppendTo(t *testing.T) {
	key, data := []byte("some:key"), []byte("a\r\nb")
	for _, test := range []struct {
		op      verbs.Op
		command protocol.Command
		want    string
	}{
		{verbs.Op{Kind: verbs.Fetch, Key: key}, protocol.MetaGet, "mg some:key v c f t s k\r\n"},
		{verbs.Op{Kind: verbs.Probe, Key: key}, protocol.MetaGet, "mg some:key c f t s k\r\n"},
		{verbs.Op{Kind: verbs.Touch, Key: key, Exptime: 90}, protocol.MetaGet, "mg some:key T90\r\n"},
		{verbs.Op{Kind: verbs.Append, Key: key, Data: data}, protocol.Append, "append some:key 0 0 4\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.Add, Key: key, Data: data, Exptime: 5}, protocol.Add, "add some:key 0 5 4\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.Add, Key: key, Data: data, Flags: 3}, protocol.Add, "add some:key 3 0 4\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.Set, Key: key, Data: data, Flags: 1<<32 - 1, Exptime: -1}, protocol.Set, "set some:key 4294967295 -1 4\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.Incr, Key: key, Number: 1<<64 - 1}, protocol.Incr, "incr some:key 18446744073709551615\r\n"},
		{verbs.Op{Kind: verbs.Decr, Key: key, Number: 1}, protocol.Decr, "decr some:key 1\r\n"},
		{verbs.Op{Kind: verbs.AppendOrCreate, Key: key, Data: data}, protocol.MetaSet, "ms some:key 4 MA N0 s\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.AppendOrCreate, Key: key, Data: data, Exptime: 1<<31 - 1}, protocol.MetaSet,
			"ms some:key 4 MA N2147483647 s\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.Swap, Key: key, Data: data, CAS: 1<<64 - 1, Flags: 1<<32 - 1, Exptime: 7}, protocol.MetaSet,
			"ms some:key 4 C18446744073709551615 F4294967295 T7\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.AppendSized, Key: key, Data: data}, protocol.MetaSet, "ms some:key 4 MA s\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.AppendIf, Key: key, Data: data, CAS: 5}, protocol.MetaSet, "ms some:key 4 MA C5 s c\r\na\r\nb\r\n"},
		{verbs.Op{Kind: verbs.Delete, Key: key}, protocol.MetaDelete, "md some:key\r\n"},
		{verbs.Op{Kind: verbs.DeleteIf, Key: key, CAS: 9}, protocol.MetaDelete, "md some:key C9\r\n"},
		{verbs.Op{Kind: verbs.Swap, Key: key, CAS: 1}, protocol.MetaSet, "ms some:key 0 C1 F0 T0\r\n\r\n"},
	} {
		if got := string(test.op.AppendTo([]byte("before;"))); got != "before;"+test.want {
			t.Errorf("%+v: %q, expected %q", test.op, got, test.want)
		}
		if got := test.op.Command(); got != test.command {
			t.Errorf("%+v: command %v, expected %v", test.op, got, test.command)
		}
		if got := verbtest.ParseOp(t, test.op.AppendTo(nil)); got.Kind != test.op.Kind || got.Exptime != test.op.Exptime ||
			got.CAS != test.op.CAS || got.Flags != test.op.Flags || got.Number != test.op.Number || !bytes.Equal(got.Data, test.op.Data) {
			t.Errorf("%+v was read as %+v", test.op, got)
		}
	}
}

func TestParseReply(t *testing.T) {
	for _, test := range []struct {
		kind verbs.OpKind
		line string
		want verbs.Reply
	}{
		{verbs.Fetch, "STORED", verbs.Reply{Status: verbs.Stored}},
		{verbs.Swap, "HD", verbs.Reply{Status: verbs.Stored}},
		{verbs.Probe, "HD", verbs.Reply{Status: verbs.Hit}},
		{verbs.AppendSized, "HD s12", verbs.Reply{Status: verbs.Stored, Size: 12}},
		{verbs.Fetch, "NOT_STORED", verbs.Reply{Status: verbs.NotStored}},
		{verbs.Fetch, "NS", verbs.Reply{Status: verbs.NotStored}},
		{verbs.Fetch, "EXISTS", verbs.Reply{Status: verbs.Exists}},
		{verbs.Fetch, "EX", verbs.Reply{Status: verbs.Exists}},
		{verbs.Fetch, "NOT_FOUND", verbs.Reply{Status: verbs.Missing}},
		{verbs.Fetch, "NF", verbs.Reply{Status: verbs.Missing}},
		{verbs.Fetch, "EN", verbs.Reply{Status: verbs.Missing}},
		{verbs.Probe, "HD c7 f3 t-1 s0", verbs.Reply{Status: verbs.Hit, CAS: 7, Flags: 3, TTL: -1}},
		{verbs.Probe, "HD t7", verbs.Reply{Status: verbs.Hit, TTL: 7}},
		{verbs.Probe, "HD c7 f3 t0 s5 W Z X", verbs.Reply{Status: verbs.Hit, CAS: 7, Flags: 3, Size: 5}},
		{verbs.Fetch, "VA 0 c18446744073709551615 f4294967295 t99\r\n", verbs.Reply{Status: verbs.Hit, CAS: 1<<64 - 1, Flags: 1<<32 - 1, TTL: 99}},
		{verbs.Fetch, "VA 4 c1 f2 t3\r\n\r\n\r\n", verbs.Reply{Status: verbs.Hit, CAS: 1, Flags: 2, TTL: 3, Data: []byte("\r\n\r\n")}},
		{verbs.Fetch, "SERVER_ERROR out of memory storing object", verbs.Reply{Err: "SERVER_ERROR out of memory storing object"}},
		{verbs.Fetch, "ERROR", verbs.Reply{Err: "SERVER_ERROR the upstream answered: ERROR"}},
		{verbs.Fetch, "CLIENT_ERROR bad data chunk", verbs.Reply{Err: "SERVER_ERROR the upstream answered: CLIENT_ERROR bad data chunk"}},
		{verbs.Fetch, "OK", verbs.Reply{Err: "SERVER_ERROR the upstream answered: OK"}},
		{verbs.Fetch, "17", verbs.Reply{Err: "SERVER_ERROR the upstream answered: 17"}},
		{verbs.Incr, "17", verbs.Reply{Status: verbs.Stored, Number: 17}},
		{verbs.Decr, "NOT_FOUND", verbs.Reply{Status: verbs.Missing}},
		{verbs.Incr, "CLIENT_ERROR cannot increment or decrement non-numeric value",
			verbs.Reply{Err: "CLIENT_ERROR cannot increment or decrement non-numeric value"}},
		{verbs.Incr, "OK", verbs.Reply{Err: "SERVER_ERROR the upstream answered: OK"}},
		{verbs.Fetch, "VERSION 1.6.38", verbs.Reply{Err: "SERVER_ERROR the upstream answered: VERSION 1.6.38"}},
	} {
		var reply protocol.Reply
		text := []byte(test.line + "\r\n")
		if n, _, err := protocol.ParseReply(text, &reply); err != nil || n != len(text) {
			t.Fatalf("%q: %v", test.line, err)
		}
		got := verbs.ParseReply(test.kind, &reply)
		if len(got.Data) == 0 {
			got.Data = nil
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: %+v, expected %+v", test.line, got, test.want)
		}
	}
}
