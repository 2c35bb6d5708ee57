package operation

import (
	"encoding/base64"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/metadump"
	"github.com/memverbs/memverbs/tests/harness"
)

// forEachMemcached tests each memcached.
func forEachMemcached(t *testing.T, f func(*testing.T, *harness.Memcached), flags ...string) {
	t.Helper()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			f(t, harness.StartMemcached(t, version, flags...))
		})
	}
}

// listItems passes the items of a memcached to f, once that is not busy with another list.
func listItems(t *testing.T, m *harness.Memcached, f func(metadump.Item) bool) error {
	t.Helper()
	conn, err := net.Dial("tcp", m.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	l, err := metadump.Open(conn, harness.Patience, time.Now().Add(harness.Patience))
	if err != nil {
		return err
	}
	return l.Each(f)
}

// wholeList returns the items of a memcached by their keys. A list is asked for again if the crawler is just ending another one.
func wholeList(t *testing.T, m *harness.Memcached) (items map[string]metadump.Item) {
	t.Helper()
	harness.Await(t, "a whole list", func() bool {
		items = map[string]metadump.Item{}
		return listItems(t, m, func(it metadump.Item) bool {
			items[string(it.Key)] = it
			return true
		}) == nil
	})
	return items
}

// storeItems stores items k0, k1 …
func storeItems(t *testing.T, m *harness.Memcached, n int) {
	t.Helper()
	c := harness.Dial(t, m.Addr)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "set k%d 0 0 1 noreply\r\nx\r\n", i)
	}
	c.Send(b.String())
	c.InStep()
}

func TestMetadump(t *testing.T) {
	t.Parallel()
	forEachMemcached(t, func(t *testing.T, m *harness.Memcached) {
		const n = 50_000
		if items := wholeList(t, m); len(items) != 0 {
			t.Fatalf("an empty memcached has %v", items)
		}
		storeItems(t, m, n)
		items := wholeList(t, m)
		for i := range n {
			if it := items[fmt.Sprintf("k%d", i)]; it.CAS == 0 || it.Expires != metadump.Never || it.Used == 0 {
				t.Fatalf("k%d: %+v", i, it)
			}
		}
		if len(items) != n {
			t.Errorf("%d items, expected %d", len(items), n)
		}
	})
}

// Keys of any bytes are told as they are, with the CAS and the time of their items.
func TestMetadumpOfAnyBytes(t *testing.T) {
	t.Parallel()
	forEachMemcached(t, func(t *testing.T, m *harness.Memcached) {
		c := harness.Dial(t, m.Addr)
		keys := []string{"%41", "%", "a=b", "key=k", "END", strings.Repeat("\xff", 250), strings.Repeat("\x00", 186)}
		for b := range 256 {
			keys = append(keys, "b"+string([]byte{byte(b)}))
		}
		cas := map[string]string{}
		for _, key := range keys {
			word, coded := key, ""
			if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
				word, coded = base64.StdEncoding.EncodeToString([]byte(key)), " b"
			}
			c.Send("ms " + word + " 1" + coded + " T1000 c\r\nx\r\n")
			cas[key] = c.Line()
		}
		items, now := wholeList(t, m), time.Now().Unix()
		for _, key := range keys {
			if it, ok := items[key]; !ok || cas[key] != fmt.Sprintf("HD c%d", it.CAS) || it.Expires < now || it.Expires > now+1002 {
				t.Errorf("%q: %t, %+v, %s", key, ok, it, cas[key])
			}
		}
		if len(items) != len(keys) {
			t.Errorf("%d items, expected %d", len(items), len(keys))
		}
	})
}

// Lists that are broken off leave the memcached well: on all of its threads, and for another list.
func TestMetadumpBrokenOff(t *testing.T) {
	t.Parallel()
	forEachMemcached(t, func(t *testing.T, m *harness.Memcached) {
		const n = 100_000
		storeItems(t, m, n)
		for _, most := range []int{1, 1000, n / 2} {
			harness.Await(t, "a list", func() bool {
				got := 0
				err := listItems(t, m, func(metadump.Item) bool {
					got++
					return got < most
				})
				return err == nil && got == most
			})
			for range 10 {
				harness.Dial(t, m.Addr).Ask("set k0 0 0 1\r\nx\r\nget k0\r\n", "STORED\r\nVALUE k0 0 1\r\nx\r\nEND\r\n")
			}
		}
		if items := wholeList(t, m); len(items) != n {
			t.Errorf("%d items, expected %d", len(items), n)
		}
	})
}

// Who has memory for some items only lists them again and again, until all are done.
func TestMetadumpInParts(t *testing.T) {
	t.Parallel()
	forEachMemcached(t, func(t *testing.T, m *harness.Memcached) {
		const n, most = 20_000, 3000
		storeItems(t, m, n)
		c := harness.Dial(t, m.Addr)
		done := 0
		for last := false; !last; {
			part := map[string]bool{}
			harness.Await(t, "a part of the items", func() bool {
				return listItems(t, m, func(it metadump.Item) bool {
					part[string(it.Key)] = true
					return len(part) < most
				}) == nil
			})
			var deletes strings.Builder
			for key := range part {
				deletes.WriteString("delete " + key + "\r\n")
			}
			c.Ask(deletes.String(), strings.Repeat("DELETED\r\n", len(part)))
			done += len(part)
			last = len(part) < most
		}
		if done != n {
			t.Errorf("%d items, expected %d", done, n)
		}
	})
}

func TestMetadumpWithoutCrawler(t *testing.T) {
	t.Parallel()
	forEachMemcached(t, func(t *testing.T, m *harness.Memcached) {
		err := listItems(t, m, func(metadump.Item) bool { return true })
		if err == nil || !strings.Contains(err.Error(), "crawler disabled") {
			t.Errorf("%v", err)
		}
	}, "-o", "no_lru_crawler")
}
