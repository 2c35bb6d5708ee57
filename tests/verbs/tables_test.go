package verbs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Clients of two proxies change the rows of one table as fast as they can, and delete it now
// and then. Each knows what it has stored in rows of its own since it has seen the table
// deleted last, and all count in one row.
func TestTablesOfSeveralProxies(t *testing.T) {
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			store := harness.StartMemcached(t, version)
			var proxies []*harness.Memverbs
			for range 2 {
				proxies = append(proxies, harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "2", "--structure-item-size", "1KB"))
			}
			const clients, requests = 8, 600
			harness.Dial(t, proxies[0].Addr).Ask("hset k counted 0 0 1\r\n0\r\n", "STORED\r\n")
			rows := make([]map[string]string, clients)
			var all sync.WaitGroup
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			for i := range clients {
				c := harness.Dial(t, proxies[i%len(proxies)].Addr)
				rows[i] = map[string]string{}
				all.Go(func() { changeRows(t, c, rand.New(rand.NewPCG(seed, uint64(i))), i, rows[i], requests) })
			}
			all.Wait()
			for _, m := range proxies {
				checkTable(t, harness.Dial(t, m.Addr), rows, clients*requests/10)
				if m.Stats()["structures_incomplete"] != "0" {
					t.Errorf("structures lost: %s", m.Stats()["structures_incomplete"])
				}
			}
		})
	}
}

// changeRows changes and reads rows that only client i uses, and counts in another one with
// every tenth request.
func changeRows(t *testing.T, c *harness.Client, r *rand.Rand, i int, rows map[string]string, requests int) {
	for n := range requests {
		field := fmt.Sprintf("row-%d-%d", i, r.IntN(30))
		value, there := rows[field]
		switch {
		case n%10 == 0:
			c.Send("hincr k counted 1\r\n")
			if _, err := strconv.Atoi(c.Line()); err != nil {
				t.Error(err)
			}
		case n%10 < 4:
			rows[field] = fmt.Sprint(n)
			c.Ask(fmt.Sprintf("hset k %s 0 0 %d\r\n%d\r\n", field, len(fmt.Sprint(n)), n), "STORED\r\n")
		case n%10 == 4 && there:
			c.Ask("hadd k "+field+" 0 0 0\r\n\r\n", "NOT_STORED\r\n")
		case n%10 == 5 && there:
			delete(rows, field)
			c.Ask("hdel k "+field+"\r\n", "DELETED\r\n")
		case n%10 == 6:
			c.Send("hkeys k\r\n")
			listed := strings.Fields(strings.Split(c.Until("END"), "\r\n")[1])
			for field := range rows {
				if !slices.Contains(listed, field) {
					t.Errorf("%s is not listed", field)
				}
			}
		case there:
			c.Ask("hget k "+field+"\r\n", fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", field, len(value), value))
		default:
			c.Ask("hget k "+field+"\r\n", "END\r\n")
		}
	}
}

// checkTable compares the table with what its clients know.
func checkTable(t *testing.T, c *harness.Client, rows []map[string]string, counted int) {
	t.Helper()
	want := []string{fmt.Sprintf("VALUE counted 0 %d\r\n%d", len(fmt.Sprint(counted)), counted)}
	for _, of := range rows {
		for field, value := range of {
			want = append(want, fmt.Sprintf("VALUE %s 0 %d\r\n%s", field, len(value), value))
		}
	}
	c.Send("hgetall k\r\n")
	lines := strings.Split(strings.TrimSuffix(c.Until("END"), "END\r\n"), "VALUE ")[1:]
	var got []string
	for _, row := range lines {
		got = append(got, "VALUE "+strings.TrimSuffix(row, "\r\n"))
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the table is %q, expected %q", got, want)
	}
	c.Ask("hlen k\r\n", fmt.Sprintf("%d\r\n", len(want)))
}

// Several clients make the same table at the same time, delete it, and make it again. The row
// that was set last is there, and no row of a table that was deleted.
func TestTablesAreMadeAnew(t *testing.T) {
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			store := harness.StartMemcached(t, version)
			var clients []*harness.Client
			for range 2 {
				m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "2")
				for range 4 {
					clients = append(clients, harness.Dial(t, m.Addr))
				}
			}
			for round := range 120 {
				var all sync.WaitGroup
				for i, c := range clients {
					all.Go(func() {
						c.Ask(fmt.Sprintf("hset k row%d 0 0 3\r\n%03d\r\n", i, round), "STORED\r\n")
						c.Ask(fmt.Sprintf("hget k row%d\r\n", i), fmt.Sprintf("VALUE row%d 0 3\r\n%03d\r\nEND\r\n", i, round))
					})
				}
				all.Wait()
				for _, c := range clients {
					c.Ask("hlen k\r\n", fmt.Sprintf("%d\r\n", len(clients)))
				}
				clients[round%len(clients)].Ask("delete k\r\n", "DELETED\r\n")
				for i, c := range clients {
					c.Ask(fmt.Sprintf("hget k row%d\r\n", i), "END\r\n")
				}
			}
		})
	}
}

// All items of a table are on the upstream that owns its key, whatever their own keys are.
func TestTablesAreOnOneUpstream(t *testing.T) {
	t.Parallel()
	var flags []string
	var stores []*harness.Memcached
	for _, version := range harness.Versions {
		store := harness.StartMemcached(t, version)
		stores, flags = append(stores, store), append(flags, "--upstream", store.Addr)
	}
	m := harness.StartMemverbs(t, append(flags, "--structure-item-size", "1KB")...)
	c := harness.Dial(t, m.Addr)
	const tables, rows = 20, 300
	for table := range tables {
		var line, want strings.Builder
		for row := range rows {
			fmt.Fprintf(&line, "hset t%d field%d 0 0 4\r\n%04d\r\n", table, row, row)
			want.WriteString("STORED\r\n")
		}
		c.Ask(line.String(), want.String())
	}
	for table := range tables {
		c.Ask(fmt.Sprintf("hlen t%d\r\n", table), fmt.Sprintf("%d\r\n", rows))
		c.Send(fmt.Sprintf("inspect t%d\r\n", table))
		owner := c.Until("END")
		for _, store := range stores {
			there := strings.Contains(owner, "upstream "+store.Addr+"\r\n")
			direct := harness.Dial(t, store.Addr)
			direct.Send(fmt.Sprintf("get t%d\r\n", table))
			if got := strings.HasPrefix(direct.Until("END"), "VALUE "); got != there {
				t.Errorf("t%d is on %s: %v; inspect says %q", table, store.Addr, got, owner)
			}
		}
	}
	stores[0].Kill(t)
	for table := range tables {
		c.Send(fmt.Sprintf("hlen t%d\r\n", table))
		if line := c.Line(); line != fmt.Sprint(rows) && !strings.Contains(line, stores[0].Addr) {
			t.Errorf("t%d: %q", table, line)
		}
	}
}
