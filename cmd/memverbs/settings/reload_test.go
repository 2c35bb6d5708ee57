package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/config"
)

// A reload notices a setting that was added to those of pools and to nothing else: the texts by which pools are
// compared have it.
func TestReloadNoticesANewSetting(t *testing.T) {
	t.Parallel()
	texts := func(value string) []config.Setting {
		t.Helper()
		var added string
		p := newFilePool(yamlfile.Entry{})
		p.Part("New", func(f *pflag.FlagSet) { setting.Define(f, &added, "", setting.Any(), "new", "something new") })
		root, err := yamlfile.Parse("f", []byte("new: "+value))
		if err != nil {
			t.Fatal(err)
		}
		if err := read(p.Section, root); err != nil {
			t.Fatal(err)
		}
		return poolTexts(p.Section)
	}
	if before, after := texts("one"), texts("other"); slices.Equal(before, after) || !slices.Equal(before, texts("one")) {
		t.Errorf("%v, %v", before, after)
	}
}

// Whichever setting differs, a reload notices it: of the process, of a pool, or of its listener.
func TestReloadNoticesEverySetting(t *testing.T) {
	t.Parallel()
	others := map[string]string{
		"max-clients": "7", "loops": "3", "buffer-memory": "64MB", "read-cache": "1MB", "drain": "1s", "admin": "127.0.0.1:7", "admin-hosts": "[a]", "slow": "1s", "log-level": "debug", "log-format": "json",
		"socket-mode": "0770", "idle-timeout": "1s", "auth-file": settingstest.Write(t, "ann:secret\n"), "verb-keys": "v/",
		"servers": "[b]", "layout": "jump", "unhashed-prefix": `["a,b"]`, "hash-tag": "'[]'", "timeout": "2s", "connect-timeout": "2s", "max-item-size": "2MB",
		"on-down": "miss", "on-return": "keep", "spare-ttl": "3s", "near": `{"a:": 1s}`, "hold-misses": `{"a:": 500ms}`, "namespaces": `["a:"]`, "read-only": "true", "flush": "allow", "stats-reset": "deny", "verbs": "[sadd, lpop]",
		"resolver": "127.0.0.1:7", "discover-every": "1s", "leave-after": "1s", "settle": "1s", "unconfirmed": "serve", "move": "copy", "warm-from": "other\n  other:\n    servers: [b]", "compact-dirtiness": "1", "structure-item-size": "2KB", "log-chunk": "2s", "log-chunks": "3",
	}
	texts := func(top, pool string) (all []string) {
		t.Helper()
		s, _, err := parseSettings(top + "pools:\n  main:\n    listen: ['unix:/s', ':1']\n" + pool)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range append(append(slices.Clone(s.Pools[0].Texts), s.Listeners[0].texts...), s.Listeners[1].texts...) {
			all = append(all, text.Name+"="+text.Text)
		}
		for _, text := range s.Texts {
			all = append(all, text.Name+"="+text.Text)
		}
		return all
	}
	plain := texts("", "    servers: [a]\n")
	sections := EmptySections()
	for i, section := range []*setting.Section{sections.Top, sections.Pool} {
		section.VisitAll(func(f *pflag.Flag) {
			switch f.Name {
			case "listen", "reuse-port", "user", "password-file": // addresses and sockets, and what goes together
				return
			}
			if strings.Contains(f.Name, "tls-") {
				return // together too
			}
			line, in := f.Name+": "+others[f.Name]+"\n", []string{"", "    servers: [a]\n"}
			if f.Name == "servers" {
				in[1] = ""
			}
			in[i] += strings.Repeat("    ", i) + line
			if slices.Equal(plain, texts(in[0], in[1])) {
				t.Errorf("%s is not noticed", f.Name)
			}
		})
	}
}

// Lists that are shown alike differ.
func TestListsWithCommas(t *testing.T) {
	t.Parallel()
	texts := func(prefixes string) []config.Setting {
		s, _, err := parseSettings(settingstest.Smallest + "    unhashed-prefix: " + prefixes + "\n")
		if err != nil {
			t.Fatal(err)
		}
		return s.Pools[0].Texts
	}
	if slices.Equal(texts(`["a,b"]`), texts(`[a, b]`)) {
		t.Error("a prefix with a comma is taken for two")
	}
}
