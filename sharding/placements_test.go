package sharding

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// placement is a file of testdata/placements: where an original places keys, one a line, with pools of several sizes.
type placement struct {
	layout, file string
	weight       func(server, servers int) string // nil if all are 1
}

var placements = []placement{
	{"mcrouter", "mcrouter_ch3", nil},
	{"mcrouter-crc32", "mcrouter_crc32", nil},
	{"mcrouter-weighted", "mcrouter_weightedch3_lin", func(server, servers int) string { return fraction(float64(server+1) / float64(servers)) }},
	{"mcrouter-weighted", "mcrouter_weightedch3_mix", func(server, _ int) string {
		return fraction([]float64{1, 0.5, 0, 0.75, 0.3}[server%5])
	}},
	{"pecl-memcache", "pecl_standard_crc32", nil},
	{"pecl-memcache", "pecl_standard_crc32_w123", rising},
	{"pecl-memcache", "pecl_standard_crc32_wcyc", cyclic},
	{"pecl-memcache-fnv", "pecl_standard_fnv", nil},
	{"pecl-memcache-fnv", "pecl_standard_fnv_w123", rising},
	{"pecl-memcache-fnv", "pecl_standard_fnv_wcyc", cyclic},
	{"pecl-memcache-consistent", "pecl_consistent_crc32", nil},
	{"pecl-memcache-consistent", "pecl_consistent_crc32_w123", rising},
	{"pecl-memcache-consistent", "pecl_consistent_crc32_wcyc", cyclic},
	{"pecl-memcache-consistent-fnv", "pecl_consistent_fnv", nil},
	{"pecl-memcache-consistent-fnv", "pecl_consistent_fnv_w123", rising},
	{"pecl-memcache-consistent-fnv", "pecl_consistent_fnv_wcyc", cyclic},
}

func rising(server, _ int) string { return strconv.Itoa(server + 1) }
func cyclic(server, _ int) string { return strconv.Itoa(server%3 + 1) }

// fraction returns a weight from 0 to 1 as servers are written.
func fraction(weight float64) string {
	switch weight {
	case 0:
		return "0.0"
	case 1:
		return "1"
	}
	return strconv.FormatFloat(weight, 'f', -1, 64)
}

// pool returns a pool as the original had it.
func (p *placement) pool(t *testing.T, servers int) (pool []Server) {
	t.Helper()
	for i := range servers {
		text := fmt.Sprintf("10.0.0.%d:11211", i+1)
		if p.weight != nil {
			text += ":" + p.weight(i, servers)
		}
		pool = append(pool, mustParse(t, text).Server)
	}
	return pool
}

// readPlacements returns the lines of a file of testdata/placements.
func readPlacements(t *testing.T, name string) (lines []string) {
	t.Helper()
	file, err := os.Open("testdata/placements/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(text)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestLayoutsAgreeOnManyKeys(t *testing.T) {
	keys := readPlacements(t, "keys.txt")
	if len(keys) != 20_000 {
		t.Fatalf("%d keys, expected 20 000", len(keys))
	}
	for _, p := range placements {
		t.Run(p.file, func(t *testing.T) {
			var layouts []Layout
			for _, servers := range []int{1, 2, 3, 5, 10, 64} {
				layouts = append(layouts, mustLayout(t, p.layout, p.pool(t, servers)))
			}
			wrong := 0
			for i, line := range readPlacements(t, p.file+".tsv") {
				columns := strings.Split(line, "\t")
				for j, layout := range layouts {
					if got := strconv.Itoa(layout.Locate([]byte(keys[i]))); got != columns[j] {
						if wrong++; wrong < 10 {
							t.Errorf("%q on server %s of pool %d, the original has it on %s", keys[i], got, j, columns[j])
						}
					}
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d places are wrong", wrong, len(keys)*len(layouts))
			}
		})
	}
}
