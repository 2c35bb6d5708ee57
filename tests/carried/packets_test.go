package carried

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

// named returns a packet about a key that names a verb.
func named(opcode byte, extras, verb, value string) packet.Request {
	return packet.Request{Opcode: opcode, Extras: extras, Key: "verb/" + verb, Value: value}
}

func TestVerbsInPackets(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := packet.Dial(t, s.Addr)
		storage := packet.Words(0, 60)
		for _, step := range []struct {
			request packet.Request
			status  uint16
			value   string
		}{
			{named(packet.Set, storage, "sadd/s", "apple pear plum"), packet.Success, ""},
			{named(packet.Set, storage, "srem/s", "pear"), packet.Success, ""},
			{named(packet.Set, storage, "srem/none", "pear"), packet.NotStored, "Not stored."},
			{named(packet.Get, "", "smembers/s", ""), packet.Success, "apple plum"},
			{named(packet.GetK, "", "scard/s", ""), packet.Success, "2"},
			{named(packet.Get, "", "scard/none", ""), packet.NotFound, "Not found"},
			{named(packet.Add, storage, "saddnew/seen", "a"), packet.Success, ""},
			{named(packet.Add, storage, "saddnew/seen", "a"), packet.Exists, "Data exists for key."},
			{named(packet.Set, storage, "schange/seen", "-a +plum +fig"), packet.Success, ""},
			{named(packet.Set, storage, "schange/none", "-a"), packet.NotStored, "Not stored."},
			{named(packet.Get, "", "sinter/s/seen", ""), packet.Success, "plum"},
			{named(packet.Get, "", "sunion/s/none/seen", ""), packet.Success, "apple plum fig"},
			{named(packet.Get, "", "sdiff/s/seen", ""), packet.Success, "apple"},
			{named(packet.Set, storage, "saddp/seen/600", "kiwi"), packet.Success, ""},
			{named(packet.Get, "", "scard/seen", ""), packet.Success, "3"},
			{named(packet.Set, storage, "zmax/best", "120 alice 95 bob 110 alice 7 eve"), packet.Success, ""},
			{named(packet.Set, storage, "zmin/best", "90 eve 80 bob"), packet.Success, ""},
			{named(packet.Get, "", "zcount/best/0/100", ""), packet.Success, "2"},
			{named(packet.Get, "", "zbyscore/best/-/100/withscores", ""), packet.Success, "eve 7 bob 80"},
			{named(packet.GetK, "", "zrevbyscore/best/+/-/page/1/1", ""), packet.Success, "bob"},
			{named(packet.Get, "", "zaround/best/bob/1", ""), packet.Success, "eve bob alice"},
			{named(packet.Get, "", "zrevaround/best/alice/1/withscores", ""), packet.Success, "alice 120 bob 80"},
			{named(packet.Get, "", "zaround/best/dave/1", ""), packet.NotFound, "Not found"},
			{named(packet.Get, "", "zpopmin/best", ""), packet.Success, "eve 7"},
			{named(packet.Set, storage, "ztrim/best", "1"), packet.Success, ""},
			{named(packet.Get, "", "zpopmax/best/count/5", ""), packet.Success, "alice 120"},
			{named(packet.Get, "", "zpopmax/best", ""), packet.NotFound, "Not found"},
			{named(packet.Set, storage, "rpush/waits", "a b"), packet.Success, ""},
			{named(packet.Get, "", "lpop/waits/wait/60000", ""), packet.Success, "a"},
			{named(packet.GetK, "", "rpop/waits/5/wait/60000", ""), packet.Success, "b"},
			{named(packet.Get, "", "lpop/waits/wait/1", ""), packet.NotFound, "Not found"},
			{named(packet.Get, "", "rpop/waits/5/wait/1", ""), packet.NotFound, "Not found"},
			{named(packet.Get, "", "tasktake/none/30/1/wait/1", ""), packet.NotFound, "Not found"},
			{named(packet.Get, "", "logfetch/none/1/wait/1", ""), packet.NotFound, "Not found"},
			{named(packet.Add, storage, "lock/l", "alice"), packet.Success, ""},
			{named(packet.Add, storage, "lock/l", "bob"), packet.Exists, "Data exists for key."},
			{named(packet.Touch, packet.Words(90), "relock/l/alice", ""), packet.Success, ""},
			{named(packet.Touch, packet.Words(90), "relock/l/bob", ""), packet.NotFound, "Not found"},
			{named(packet.Delete, "", "unlock/l/bob", ""), packet.Exists, "Data exists for key."},
			{named(packet.Delete, "", "unlock/l/alice", ""), packet.Success, ""},
			{named(packet.Increment, packet.Counting(5, 0, 1<<32-1), "zincrby/r/m", ""), packet.Success, packet.Number(5)},
			{named(packet.Decrement, packet.Counting(2, 0, 1<<32-1), "zincrby/r/m", ""), packet.Success, packet.Number(3)},
			{named(packet.Get, "", "zget/r/m", ""), packet.Success, "3"},
			{named(packet.Increment, packet.Counting(5, 1, 60), "zincrby/r/m", ""), packet.Success, packet.Number(8)},
			{named(packet.Increment, packet.Counting(5, 0, 0), "hincr/t/n", ""), packet.Success, packet.Number(0)},
			{named(packet.Increment, packet.Counting(5, 0, 0), "hincr/t/n", ""), packet.Success, packet.Number(5)},
			{named(packet.Decrement, packet.Counting(5, 7, 1<<31-1), "hdecr/t/m", ""), packet.Success, packet.Number(7)},
			{named(packet.Increment, packet.Counting(5, 0, 1<<32-1), "hincr/t/none", ""), packet.NotFound, "Not found"},
			{named(packet.Delete, "", "srem/none", ""), packet.NotFound, "Not found"},
			{named(packet.Add, storage, "lock/over", "alice"), packet.Success, ""},
			{named(packet.Touch, packet.Words(2592001), "relock/over/alice", ""), packet.Success, ""},
			{named(packet.Add, storage, "lock/over", "bob"), packet.Success, ""},
			{named(packet.Get, "", "lpop/none", ""), packet.NotFound, "Not found"},
			{named(packet.Set, packet.Words(7, 0), "hset/t/f", "row\r\n"), packet.Success, ""},
			{named(packet.Get, "", "hget/t/f", ""), packet.Success, "row\r\n"},
			{named(packet.Set, packet.Words(7, 0), "rput/posts", "a b\r\n"), packet.Success, ""},
			{named(packet.Set, packet.Words(8, 0), "lput/posts", ""), packet.Success, ""},
			{named(packet.GetK, "", "lpop/posts", ""), packet.Success, ""},
			{named(packet.GetK, "", "lrange/posts/0/0", ""), packet.Success, "a b\r\n"},
			{named(packet.Get, "", "lpop/posts", ""), packet.Success, "a b\r\n"},
			{named(packet.Set, storage, "taskput/q/later/1906400000000", "x"), packet.Success, ""},
			{named(packet.Get, "", "tasklist/q/-/+", ""), packet.Success, "later 0 17\n1906400000000 0 0\n"},
			{named(packet.Get, "", "tasklist/q/-/0", ""), packet.NotFound, "Not found"},
			{named(packet.Add, storage, "taskadd/q/later/0", "y"), packet.Exists, "Data exists for key."},
			{named(packet.Add, storage, "taskadd/q/soon/1906400000000", "y"), packet.Success, ""},
			{named(packet.Get, "", "taskpeek/q/none", ""), packet.NotFound, "Not found"},
			{named(packet.Set, storage, "taskmove/q/none", "0"), packet.NotStored, "Not stored."},
			{named(packet.Set, storage, "taskmove/q/later", "1906500000000"), packet.Success, ""},
			{named(packet.Get, "", "tasklist/q/-/+", ""), packet.Success, "soon 0 17\n1906400000000 0 0\nlater 0 17\n1906500000000 0 0\n"},
			{named(packet.Get, "", "tasktake/q/30/5/most/1", ""), packet.NotFound, "Not found"},
		} {
			if a := c.Ask(step.request); a.Status != step.status || a.Value != step.value {
				t.Errorf("%q with %q was answered with status 0x%02x and %q, expected 0x%02x and %q",
					step.request.Key, step.request.Value, a.Status, a.Value, step.status, step.value)
			}
		}
		for _, r := range []packet.Request{
			named(packet.Append, "", "sadd/s", "x"), named(packet.Replace, storage, "sadd/s", "x"), named(packet.GAT, packet.Words(9), "smembers/s", ""),
			named(packet.Get, "", "nothing/s", ""), named(packet.Set, storage, "taskput/q/a/1795733949", "x"), named(packet.Get, "", "tasklist/q/1795733949", ""),
			named(packet.Set, storage, "taskretry/q/0123456789abc-_Z.1", "1795733949"), named(packet.Set, storage, "taskmove/q/later", "1795733949"),
			named(packet.Set, storage, "taskadd/q/a/0", "x"), named(packet.Get, "", "tasktake/q/30/most/0", ""),
		} {
			if a := c.Ask(r); a.Status != packet.Invalid {
				t.Errorf("opcode 0x%02x with %q was answered with status 0x%02x and %q", r.Opcode, r.Key, a.Status, a.Value)
			}
		}
	}, "--verb-keys", "verb/")
}

// What is put into a list comes back with its flags, by every get that there is.
func TestFlagsOfElementsInPackets(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := packet.Dial(t, s.Addr)
		for _, opcode := range []byte{packet.Get, packet.GetK, packet.GetQ, packet.GetKQ} {
			flags := 1<<31 + uint32(opcode)
			c.Send(named(packet.SetQ, packet.Words(flags, 0), "rput/posts", "a b\r\n"), named(opcode, "", "lpop/posts", ""), packet.Request{Opcode: packet.Noop})
			if a := c.Answer(); a.Opcode != opcode || a.Status != packet.Success || a.Extras != packet.Words(flags) || a.Value != "a b\r\n" {
				t.Errorf("opcode 0x%02x was answered with %q, flags %x", opcode, a.Value, a.Extras)
			}
			c.Answer() // of the noop
		}
		if a := c.Ask(named(packet.Get, "", "llen/posts", "")); a.Value != "0" {
			t.Errorf("%q elements are left", a.Value)
		}
	}, "--verb-keys", "verb/")
}

// A quiet count that a key carries counts in silence. What is not counted, or can't be told, is told.
func TestQuietCountsInPackets(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := packet.Dial(t, s.Addr)
		const none = 1<<32 - 1 // creates nothing
		quiet := []packet.Request{
			named(packet.IncrementQ, packet.Counting(5, 0, none), "zincrby/r/m", ""),
			named(packet.DecrementQ, packet.Counting(2, 0, none), "zincrby/r/m", ""),
			named(packet.IncrementQ, packet.Counting(4, 0, none), "zincrbyp/r/m/60", ""),
			named(packet.IncrementQ, packet.Counting(5, 7, 0), "hincr/t/n", ""),
			named(packet.IncrementQ, packet.Counting(5, 7, 0), "hincr/t/n", ""),
			named(packet.DecrementQ, packet.Counting(2, 7, 0), "hdecr/t/n", ""),
		}
		c.Send(append(quiet, named(packet.Get, "", "zget/r/m", ""), named(packet.Get, "", "hget/t/n", ""))...)
		c.Expect(packet.Success, "7")
		c.Expect(packet.Success, "10")
		for _, told := range []struct {
			request packet.Request
			status  uint16
			value   string
		}{
			{named(packet.IncrementQ, packet.Counting(1, 0, none), "hincr/t/none", ""), packet.NotFound, "Not found"},
			{named(packet.DecrementQ, packet.Counting(1, 0, none), "hdecr/none/n", ""), packet.NotFound, "Not found"},
			{named(packet.IncrementQ, packet.Counting(1, 0, 0), "sadd/s", ""), packet.Invalid, "verb/sadd/s"},
			{named(packet.DecrementQ, packet.Counting(1, 0, 0), "nope/s", ""), packet.Invalid, "verb/nope/s"},
		} {
			if a := c.Ask(told.request); a.Status != told.status || !strings.Contains(a.Value, told.value) {
				t.Errorf("%q was answered with status 0x%02x and %q, expected 0x%02x and %q", told.request.Key, a.Status, a.Value, told.status, told.value)
			}
		}
		// A score below 0 has no number in a packet, but nobody asks for it.
		c.Send(named(packet.DecrementQ, packet.Counting(20, 0, none), "zincrby/r/m", ""), named(packet.Get, "", "zget/r/m", ""))
		c.Expect(packet.Success, "-13")
	}, "--verb-keys", "verb/")
}

// A multi-get may have keys of items and of verbs; the hits come in its order.
func TestVerbsAmongQuietGets(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := packet.Dial(t, s.Addr)
		hits := map[string]string{"verb/smembers/s": "a b", "verb/scard/s": "2", "item": "value", "verb/hget/t/f": "row"}
		c.Ask(named(packet.Set, packet.Words(0, 0), "sadd/s", "a b"))
		c.Ask(named(packet.Set, packet.Words(7, 0), "hset/t/f", "row"))
		c.Ask(packet.Request{Opcode: packet.Set, Extras: packet.Words(0, 0), Key: "item", Value: "value"})
		var gets []packet.Request
		for i := range uint32(300) {
			key := []string{"verb/smembers/s", "none", "verb/scard/none", "verb/scard/s", "item", "verb/hget/t/none", "verb/hget/t/f"}[i%7]
			gets = append(gets, packet.Request{Opcode: packet.GetKQ, Key: key, Opaque: i})
		}
		c.Send(append(gets, packet.Request{Opcode: packet.Noop, Opaque: 1 << 20})...)
		for _, r := range gets {
			want, hit := hits[r.Key]
			if !hit {
				continue
			}
			if a := c.Answer(); a.Opaque != r.Opaque || a.Key != r.Key || a.Value != want {
				t.Fatalf("get %d of %q was answered by %q", r.Opaque, r.Key, a)
			}
		}
		if a := c.Answer(); a.Opcode != packet.Noop {
			t.Errorf("the gets were followed by %q", a)
		}
	}, "--verb-keys", "verb/")
}
