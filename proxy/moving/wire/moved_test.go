package wire

import (
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving"
)

// request returns the request that a client has sent.
func request(t *testing.T, text string) *protocol.Request {
	t.Helper()
	parser := protocol.Parser{MaxData: 100}
	var req protocol.Request
	if n, status := parser.Next([]byte(text), &req); n != len(text) || status != protocol.Ready {
		t.Fatalf("%q: %d bytes, status %v", text, n, status)
	}
	return &req
}

// Each operation of a command is put into a request of memcached that does no more than that.
func TestRequests(t *testing.T) {
	t.Parallel()
	item := moving.Item{Data: []byte("data"), Flags: 5, TTL: 60, CAS: 1}
	for _, test := range []struct {
		asked string
		op    moving.Operation
		looks Looks
		sent  string
	}{
		{"get a\r\n", moving.Operation{Do: moving.Look}, Plainly, "gets a\r\n"},
		{"get a\r\n", moving.Operation{Do: moving.Look}, Wholly, "mg a v f c t\r\n"},
		{"mg YQo= b v\r\n", moving.Operation{Do: moving.Look}, Wholly, "mg YQo= v f c t b\r\n"},
		{"get a\r\n", moving.Operation{Do: moving.Reserve}, Plainly, "ms a 16 ME T5 c\r\n" + moving.Placeholder + "\r\n"},
		{"get a\r\n", moving.Operation{Do: moving.Fill, If: 7}, Plainly, "ms a 4 c F5 T60 C7\r\ndata\r\n"},
		{"get a\r\n", moving.Operation{Do: moving.Delete}, Plainly, "md a\r\n"},
		{"get a\r\n", moving.Operation{Do: moving.Delete, If: 8}, Plainly, "md a C8\r\n"},
		{"set a 1 2 1 noreply\r\nx\r\n", moving.Operation{Do: moving.Act}, Plainly, "set a 1 2 1\r\nx\r\n"},
		{"set a 1 2 1\r\nx\r\n", moving.Operation{Do: moving.Act, If: 9}, Plainly, "ms a 1 F1 T2 C9\r\nx\r\n"},
		{"append a 1 2 1\r\nx\r\n", moving.Operation{Do: moving.Act, If: 9}, Plainly, "ms a 1 MA C9\r\nx\r\n"},
		{"replace a 1 2 1\r\nx\r\n", moving.Operation{Do: moving.Act, If: 9}, Plainly, "ms a 1 MR F1 T2 C9\r\nx\r\n"},
		{"add a 1 2 1\r\nx\r\n", moving.Operation{Do: moving.Create}, Plainly, "add a 1 2 1\r\nx\r\n"},
		{"add a 1 2 1\r\nx\r\n", moving.Operation{Do: moving.Create, If: 9}, Plainly, "ms a 1 F1 T2 C9\r\nx\r\n"},
		{"ms a 1 ME k Oq T3\r\nx\r\n", moving.Operation{Do: moving.Create, If: 9}, Plainly, "ms a 1 k Oq T3 C9\r\nx\r\n"},
		{"ms a 1 MP k\r\nx\r\n", moving.Operation{Do: moving.Act, If: 9}, Plainly, "ms a 1 k MP C9\r\nx\r\n"},
		{"ma a N0 J5 D2 v\r\n", moving.Operation{Do: moving.Act}, Plainly, "ma a D2 v\r\n"},
		{"ma a N0 J5 D2 v\r\n", moving.Operation{Do: moving.Create}, Plainly, "ma a N0 J5 D2 v\r\n"},
		{"touch a 5\r\n", moving.Operation{Do: moving.Act}, Plainly, "mg a c T5\r\n"},
		{"mg a T5 k\r\n", moving.Operation{Do: moving.Act}, Plainly, "mg a v f c t T5\r\n"},
		{"gat 5 a\r\n", moving.Operation{Do: moving.Act}, Plainly, "gat 5 a\r\n"},
		{"incr a 5\r\n", moving.Operation{Do: moving.Act}, Plainly, "incr a 5\r\n"},
	} {
		var out protocol.Request
		Request(&out, request(t, test.asked), test.op, test.looks, &item)
		if sent := string(out.AppendTo(nil)); sent != test.sent {
			t.Errorf("%q, %+v: %q, expected %q", test.asked, test.op, sent, test.sent)
		}
	}
}

// What servers reply is read as what it means for the operation.
func TestReplies(t *testing.T) {
	t.Parallel()
	look := moving.Operation{Do: moving.Look}
	for _, test := range []struct {
		asked string
		op    moving.Operation
		reply string
		want  moving.Outcome
		cas   uint64
	}{
		{"get a\r\n", look, "VALUE a 5 1 77\r\nx\r\n", moving.Done, 77},
		{"get a\r\n", look, "VA 1 f5 c77 t-1\r\nx\r\n", moving.Done, 77},
		{"get a\r\n", look, "END\r\n", moving.Absent, 0},
		{"get a\r\n", look, "EN\r\n", moving.Absent, 0},
		{"get a\r\n", look, "VA 1 f5 c77 t-1 W X\r\nx\r\n", moving.Absent, 77},
		{"get a\r\n", moving.Operation{Do: moving.Reserve}, "HD c5\r\n", moving.Done, 5},
		{"get a\r\n", moving.Operation{Do: moving.Reserve}, "NS\r\n", moving.Present, 0},
		{"get a\r\n", moving.Operation{Do: moving.Delete, If: 5}, "EX\r\n", moving.Changed, 0},
		{"append a 0 0 1\r\nx\r\n", moving.Operation{Do: moving.Act}, "NOT_STORED\r\n", moving.Absent, 0},
		{"add a 0 0 1\r\nx\r\n", moving.Operation{Do: moving.Create}, "NOT_STORED\r\n", moving.Present, 0},
		{"incr a 1\r\n", moving.Operation{Do: moving.Act}, "12\r\n", moving.Done, 0},
		{"incr a 1\r\n", moving.Operation{Do: moving.Act}, "CLIENT_ERROR no number\r\n", moving.Refused, 0},
	} {
		var reply protocol.Reply
		if _, _, err := protocol.ParseReply([]byte(test.reply), &reply); err != nil {
			t.Fatal(err)
		}
		if r := Read(request(t, test.asked), test.op, &reply); r.Outcome != test.want || r.Item.CAS != test.cas {
			t.Errorf("%q, %+v, %q: outcome %v, CAS %d", test.asked, test.op, test.reply, r.Outcome, r.Item.CAS)
		}
	}
	for data, is := range map[string]bool{moving.Placeholder: true, moving.Placeholder + "x": true, "x" + moving.Placeholder: true, "x": false, "": false} {
		if IsPlaceholder([]byte(data)) != is {
			t.Errorf("%q is a placeholder: %v", data, !is)
		}
	}
}

// Clients get what memcached itself would answer.
func TestAnswers(t *testing.T) {
	t.Parallel()
	item := moving.Item{Data: []byte("xy"), Flags: 5, TTL: 60, CAS: 7}
	for _, test := range []struct {
		asked  string
		answer moving.Answer
		last   string
		want   string
	}{
		{"get a\r\n", moving.Shows, "", "VALUE a 5 2\r\nxy\r\nEND\r\n"},
		{"gets a\r\n", moving.Shows, "", "VALUE a 5 2 7\r\nxy\r\nEND\r\n"},
		{"mg a v f t k Oq c s\r\n", moving.Shows, "", "VA 2 f5 t60 ka Oq c7 s2\r\nxy\r\n"},
		{"mg a\r\n", moving.Shows, "", "HD\r\n"},
		{"get a\r\n", moving.Misses, "", "END\r\n"},
		{"mg a v k O1\r\n", moving.Misses, "", "EN ka O1\r\n"},
		{"append a 0 0 1\r\nx\r\n", moving.Misses, "", "NOT_STORED\r\n"},
		{"ms a 1 MA k\r\nx\r\n", moving.Misses, "", "NS ka\r\n"},
		{"incr a 1\r\n", moving.Misses, "", "NOT_FOUND\r\n"},
		{"md a O1\r\n", moving.Misses, "", "NF O1\r\n"},
		{"md a O1\r\n", moving.Removed, "", "HD O1\r\n"},
		{"delete a\r\n", moving.Removed, "", "DELETED\r\n"},
		{"add a 0 0 1\r\nx\r\n", moving.Exists, "", "NOT_STORED\r\n"},
		{"set a 0 0 1\r\nx\r\n", moving.Passes, "HD\r\n", "STORED\r\n"},
		{"set a 0 0 1\r\nx\r\n", moving.Passes, "STORED\r\n", "STORED\r\n"},
		{"set a 0 0 1\r\nx\r\n", moving.Passes, "SERVER_ERROR out of memory storing object\r\n", "SERVER_ERROR out of memory storing object\r\n"},
		{"ms a 1 k\r\nx\r\n", moving.Passes, "HD ka\r\n", "HD ka\r\n"},
		{"touch a 5\r\n", moving.Passes, "HD c7\r\n", "TOUCHED\r\n"},
		{"gat 5 a\r\n", moving.Passes, "VALUE a 5 2\r\nxy\r\n", "VALUE a 5 2\r\nxy\r\nEND\r\n"},
		{"mg a T5 k\r\n", moving.Passes, "VA 2 f5 c7 t5\r\nxy\r\n", "HD ka\r\n"},
		{"mg a T5 k\r\n", moving.Passes, "EN\r\n", "EN ka\r\n"},
		{"incr a 5\r\n", moving.Passes, "12\r\n", "12\r\n"},
		{"ma a v\r\n", moving.Passes, "VA 2\r\n12\r\n", "VA 2\r\n12\r\n"},
		{"set a 0 0 1\r\nx\r\n", moving.Unknown, "", unknown + "\r\n"},
		{"set a 0 0 1\r\nx\r\n", moving.Unreached, "", unreached + "\r\n"},
		{"set a 0 0 1\r\nx\r\n", moving.Busy, "", busy + "\r\n"},
	} {
		var last protocol.Reply
		if _, _, err := protocol.ParseReply([]byte(test.last), &last); err != nil {
			t.Fatal(err)
		}
		if got := string(Append(nil, request(t, test.asked), test.answer, &item, &last)); got != test.want {
			t.Errorf("%q, answer %d, %q: %q, expected %q", test.asked, test.answer, test.last, got, test.want)
		}
	}
}
