package operation

import (
	"bytes"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/verbs"
)

// pipe runs "memverbs locate" on some lines and returns the lines it prints.
func pipe(t *testing.T, lines []string, flags ...string) []string {
	t.Helper()
	cmd := exec.Command(harness.Program(t), append([]string{"locate"}, flags...)...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(lines, "\n")), &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Fatalf("locate %q: %v, %s", flags, err, errs.String())
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// locate answers as package sharding does, in the words of the flag, whether keys are
// arguments or lines.
func TestLocate(t *testing.T) {
	t.Parallel()
	pool := []string{"10.0.0.1:11211", "cache-b:11311:2 beta", "unix:/run/m.sock:3"}
	var servers []sharding.Server
	for _, text := range pool {
		s, err := sharding.ParseServer(text)
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s.Server)
	}
	var keys, want []string
	layout, err := sharding.ByName("twemproxy:ketama:fnv1a_64", servers)
	if err != nil {
		t.Fatal(err)
	}
	if layout, err = sharding.NewHashTag(layout, "{}"); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		key := fmt.Sprintf("user:{%d}:%d", i%100, i)
		keys = append(keys, key)
		want = append(want, key+"\t"+pool[layout.Locate([]byte(key))])
	}
	flags := []string{"--layout", "twemproxy:ketama:fnv1a_64", "--hash-tag", "{}", "--upstream", pool[0] + "," + pool[1], "--upstream", pool[2]}
	if got := pipe(t, keys, flags...); !slices.Equal(got, want) {
		t.Errorf("from standard input: %q, expected %q", got, want)
	}
	if got := pipe(t, nil, append(flags, keys...)...); !slices.Equal(got, want) {
		t.Errorf("from arguments: %q, expected %q", got, want)
	}
	if got := pipe(t, nil, "--upstream", "a", "--", "--key"); !slices.Equal(got, []string{"--key\ta"}) {
		t.Errorf("a key that looks like a flag: %q", got)
	}
}

// A key with a prefix is where the rest of it is, and a tag is looked for in the
// rest. A prefix may have a comma in it.
func TestLocateWithoutPrefixes(t *testing.T) {
	t.Parallel()
	keys, rests := []string{"{web}{7}"}, []string{"7"}
	for i := range 100 {
		key := fmt.Sprintf("user:%d", i)
		keys = append(keys, "web,"+key, "{web}"+key, "web,2:"+key, "web"+key, key)
		rests = append(rests, key, key, key, "web"+key, key)
	}
	pool := []string{"--upstream", "a,b,c,d,e", "--hash-tag", "{}"}
	flags := append(slices.Clone(pool), "--unhashed-prefix", "web,", "--unhashed-prefix", "{web}", "--unhashed-prefix", "web,2:")
	got, want := pipe(t, nil, append(flags, keys...)...), pipe(t, nil, append(pool, rests...)...)
	for i, key := range keys {
		if want := key + strings.TrimPrefix(want[i], rests[i]); got[i] != want {
			t.Errorf("locate says %q, expected %q", got[i], want)
		}
	}
}

// Where locate says a key is, there it is.
func TestKeysAreWhereLocateSays(t *testing.T) {
	t.Parallel()
	var upstreams []string
	for range 3 {
		upstreams = append(upstreams, harness.StartMemcached(t, harness.Versions[0]).Addr)
	}
	for _, layout := range []string{sharding.Default, "libmemcached", "twemproxy:modula:murmur", "pymemcache", "jump", "rendezvous"} {
		flags := []string{"--layout", layout, "--hash-tag", "$$", "--upstream", strings.Join(upstreams, ",")}
		m := harness.StartMemverbs(t, flags...)
		c := harness.Dial(t, m.Addr)
		c.Ask("flush_all\r\n", "OK\r\n")
		var keys []string
		for i := range 50 {
			key := fmt.Sprintf("%s:$%d$:%d", layout, i/2, i)
			keys = append(keys, key)
			c.Ask("set "+key+" 0 0 1\r\nx\r\n", "STORED\r\n")
		}
		for i, line := range pipe(t, keys, flags...) {
			key, upstream, _ := strings.Cut(line, "\t")
			if key != keys[i] || !slices.Contains(upstreams, upstream) {
				t.Fatalf("%s: locate says %q of %q", layout, line, keys[i])
			}
			harness.Dial(t, upstream).Ask("get "+key+"\r\n", "VALUE "+key+" 0 1\r\nx\r\nEND\r\n")
		}
	}
}

// The items of a structure are where its own key is, whatever theirs are.
func TestPartsAreWhereLocateSays(t *testing.T) {
	t.Parallel()
	var stores []string
	for range 3 {
		stores = append(stores, harness.StartMemcached(t, harness.Versions[0]).Addr)
	}
	pool := []string{"--upstream", strings.Join(stores, ",")}
	c := harness.Dial(t, harness.StartMemverbs(t, append(pool, "--structure-item-size", "1KB", "--log-chunk", "1h")...).Addr)
	for i := range 20 {
		set, log := fmt.Sprintf("set%d", i), fmt.Sprintf("log%d", i)
		var members strings.Builder
		for n := range 400 {
			fmt.Fprintf(&members, " member%d", n)
		}
		c.Ask("sadd "+set+members.String()+"\r\n", "STORED\r\n")
		c.Ask("logput "+log+" 0 0 1\r\nx\r\n", "STORED\r\n")
		for _, structure := range []string{set, log} {
			_, home, _ := strings.Cut(pipe(t, nil, append(pool, structure)...)[0], "\t")
			parts := partsOf(t, stores, structure)
			if len(parts[home]) == 0 || len(parts) != 1 {
				t.Fatalf("%s is on %s, its parts are %q", structure, home, parts)
			}
			if told := inspect(c, structure); told["upstream"] != home || told["parts"] != strconv.Itoa(len(parts[home])) {
				t.Errorf("%s has %d parts on %s, but inspect says %q", structure, len(parts[home]), home, told)
			}
			for _, line := range pipe(t, nil, append(append(pool, "--of", structure), parts[home]...)...) {
				if _, place, _ := strings.Cut(line, "\t"); place != home {
					t.Errorf("locate --of %s says %q, but it is on %s", structure, line, home)
				}
			}
		}
	}
}

// inspect returns the figures that inspect tells of a structure.
func inspect(c *harness.Client, structure string) map[string]string {
	c.Send("inspect " + structure + "\r\n")
	told := map[string]string{}
	for line := c.Line(); line != "END"; line = c.Line() {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "STAT "), " ")
		told[name] = value
	}
	return told
}

// partsOf returns the keys of the parts of a structure, by the memcached that has them.
func partsOf(t *testing.T, stores []string, structure string) map[string][]string {
	t.Helper()
	parts := map[string][]string{}
	for _, addr := range stores {
		c := harness.Dial(t, addr)
		c.Send("lru_crawler metadump all\r\n")
		for line := c.Line(); line != "END"; line = c.Line() {
			encoded, _, _ := strings.Cut(strings.TrimPrefix(line, "key="), " ")
			key, err := url.QueryUnescape(encoded)
			if err != nil {
				t.Fatal(err)
			}
			if verbs.IsPart([]byte(key), []byte(structure)) {
				parts[addr] = append(parts[addr], key)
			}
		}
	}
	return parts
}

func TestWrongPools(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flags string
		says  []string // all of it in the one line
	}{
		{"--layout nonsense", []string{"--layout", "nonsense", "libmemcached-ketama-weighted", "twemproxy:"}},
		{"--layout twemproxy:random:md5", []string{"--layout", "random", "ketama or modula"}},
		{"--layout twemproxy:ketama:sha1", []string{"--layout", "sha1", "fnv1a_64"}},
		{"--hash-tag {", []string{"--hash-tag", "two characters"}},
		{"--unhashed-prefix app: --unhashed-prefix a\x01", []string{"--unhashed-prefix", `"a\x01"`, "control characters"}},
		{"--unhashed-prefix=", []string{"--unhashed-prefix", `""`, "1 to 250 bytes"}},
		{"--unhashed-prefix " + strings.Repeat("p", 251), []string{"--unhashed-prefix", "ppp", "1 to 250 bytes"}},
		{"--layout jump --upstream a:1:2,b:1", []string{"--upstream", "a:1", "weight 2", "jump"}},
		{"--layout spymemcached-ketama --upstream 10.0.0.1,b:1", []string{"--upstream", "b:1", "name"}},
		{"--layout node-memcached --upstream unix:/a,b:1", []string{"--upstream", "/a", "node-memcached"}},
		{"--upstream a:1:1:1", []string{"--upstream", "a:1:1:1"}},
		{"--upstream a,a", []string{"--upstream", "twice"}},
	} {
		for _, flags := range [][]string{strings.Fields(test.flags), strings.Fields("locate --upstream c " + test.flags + " key")} {
			checkRefusal(t, flags, test.says)
		}
	}
	for _, flags := range [][]string{{"--unhashed-prefix", "my app:"}, {"locate", "--upstream", "c", "--unhashed-prefix", "my app:", "key"}} {
		checkRefusal(t, flags, []string{"--unhashed-prefix", `"my app:"`, "white space"})
	}
	checkRefusal(t, []string{"locate", "key"}, []string{"--upstream"})
	checkRefusal(t, []string{"locate", "--upstream", "a", "--listen", "b", "key"}, []string{"--listen", "--help"})
}

// checkRefusal expects status 2 and one line that says some words.
func checkRefusal(t *testing.T, flags, says []string) {
	t.Helper()
	status, stdout, stderr := runCommand(t, flags...)
	if status != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "memverbs: ") {
		t.Errorf("%q: status %d, stdout %q, stderr %q; expected 2 and one line", flags, status, stdout, stderr)
	}
	for _, word := range says {
		if !strings.Contains(stderr, word) {
			t.Errorf("%q: %q does not say %q", flags, stderr, word)
		}
	}
}

func TestHelpListsLayouts(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"--help"}, {"locate", "--help"}, {"locate", "-h"}, {"verify", "--help"}} {
		status, help, _ := runCommand(t, flags...)
		if status != 0 || !strings.Contains(help, "--layout ") || !strings.Contains(help, "--hash-tag ") ||
			!strings.Contains(help, "--unhashed-prefix ") {
			t.Errorf("%q: status %d, %s", flags, status, help)
		}
		for _, d := range sharding.Descriptions() {
			if !strings.Contains(help, d.Name+" ") {
				t.Errorf("%q does not tell of %s", flags, d.Name)
			}
		}
	}
}
