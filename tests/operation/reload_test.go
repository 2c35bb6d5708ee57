package operation

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// A server is added, and another one that was killed is removed: then all keys are served
// again. The log tells how many of them have moved.
func TestReload(t *testing.T) {
	t.Parallel()
	stays, dies := harness.StartMemcached(t, harness.Versions[0]), harness.StartMemcached(t, harness.Versions[1])
	r := harness.StartReloading(t, stays.Addr, dies.Addr)
	c := harness.Dial(t, r.Addr)
	key := harness.KeyOn(harness.LayoutOf(t, []string{stays.Addr, dies.Addr}), 1, "key")
	c.Ask("sadd "+key+" a\r\n", "STORED\r\n")
	dies.Kill(t)
	harness.Await(t, "the server to be missed", func() bool { return strings.Contains(r.Log(), "upstream is down") })
	added := harness.StartMemcached(t, harness.Versions[2])
	r.Write(t, r.Addr, stays.Addr, added.Addr)
	r.Reload(t, "msg=reloaded")
	for _, says := range []string{"msg=\"pool changed\" pool=main settings=[servers] added=[" + added.Addr + "] removed=[" + dies.Addr + "] keys-that-move="} {
		if !strings.Contains(r.Log(), says) {
			t.Errorf("the log does not say %q", says)
		}
	}
	for i := range 100 {
		key := fmt.Sprintf("key%d", i)
		c.Ask("sadd "+key+" b\r\nsmembers "+key+"\r\n", "STORED\r\nVALUE "+key+" 0 1\r\nb\r\nEND\r\n")
	}
	if strings.Contains(r.Log(), "at the next start only") {
		t.Errorf("a setting that has not changed is said to have:\n%s", r.Log())
	}
	c.InStep()
}

// A file with a mistake changes nothing, and the log says what is wrong.
func TestReloadOfAWrongFile(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[0])
	r := harness.StartReloading(t, store.Addr)
	c := harness.Dial(t, r.Addr)
	c.Ask("set k 0 0 1\r\nx\r\n", "STORED\r\n")
	if err := os.WriteFile(r.File, []byte("pools:\n  main:\n    lisen: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Reload(t, `level=ERROR msg="the file can't be used: nothing has changed"`)
	if says := `no key \"lisen\" here; is \"listen\" meant?`; !strings.Contains(r.Log(), says) {
		t.Errorf("the log does not say %s:\n%s", says, r.Log())
	}
	c.Ask("get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
	harness.Dial(t, r.Addr).Ask("get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
}

// The log names addresses as they are set, and the settings that a reload has changed.
func TestLogOfAReload(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	dir := t.TempDir()
	file, one, two := filepath.Join(dir, "memverbs.yml"), "unix:"+filepath.Join(dir, "one"), "unix:"+filepath.Join(dir, "two")
	text := fmt.Sprintf("pools:\n  main:\n    servers: [%q]\n", store.Addr)
	writeText(t, file, text+fmt.Sprintf("    listen: [%q]\n", one))
	s := harness.StartSuccession(t, "--config", file)
	writeText(t, file, text+fmt.Sprintf("    listen: [%q]\n    timeout: 2s\n    verbs: none\n", two))
	s.Signal(t, syscall.SIGHUP)
	harness.Await(t, "the reload", func() bool { return strings.Contains(s.Log(), "msg=reloaded") })
	for _, says := range []string{
		" listen=[" + one + "] ",
		`msg="pool changed" pool=main settings="[timeout verbs]" added=[] removed=[] keys-that-move=0.0%`,
		`msg="listener added" address=` + two + "\n",
		`msg="listener removed" address=` + one + "\n",
	} {
		if !strings.Contains(s.Log(), says) {
			t.Errorf("the log does not say %s", says)
		}
	}
}

// A reload that changes only listeners keeps their sockets and is logged; one that would need an
// address twice changes nothing and tells what to do.
func TestReloadOfListeners(t *testing.T) {
	t.Parallel()
	store, addr := harness.StartMemcached(t, harness.Newest), harness.FreeAddr(t)
	dir := t.TempDir()
	path, users := filepath.Join(dir, "s"), filepath.Join(dir, "users")
	r := &harness.Reloading{File: filepath.Join(dir, "memverbs.yml")}
	writeText(t, users, "ann:one\n")
	text := fmt.Sprintf("pools:\n  main:\n    servers: [%q]\n    listen: [%q, %q]\n    auth-file: %s\n", store.Addr, addr, "unix:"+path, users)
	writeText(t, r.File, text)
	r.Memverbs = harness.StartMemverbsWith(t, r.File, addr)
	r.Reload(t, "msg=reloaded")
	if strings.Contains(r.Log(), `msg="listener`) {
		t.Errorf("a listener that has not changed is said to have:\n%s", r.Log())
	}
	writeText(t, users, "ann:two\n")
	writeText(t, r.File, "drain: 2s\nmax-clients: 99\n"+text+"    socket-mode: 0770\n    max-clients: 7\n    reuse-port: true\n")
	r.Reload(t, "msg=reloaded")
	for _, says := range []string{
		`msg="settings of the process changed" settings="[max-clients drain]"` + "\n",
		`msg="listener changed" address=` + addr + ` settings="[auth-file max-clients]"` + "\n",
		`msg="listener changed" address=unix:` + path + ` settings="[socket-mode auth-file max-clients]"` + "\n",
	} {
		if !strings.Contains(r.Log(), says) {
			t.Errorf("the log does not say %s:\n%s", says, r.Log())
		}
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != 0o770 {
		t.Errorf("the socket is %v, %v, expected the permissions 0770", info, err)
	}
	all := addr[strings.LastIndexByte(addr, ':'):]
	writeText(t, r.File, strings.Replace(text, addr, all, 1))
	r.Reload(t, "cannot listen on "+all+" while memverbs listens at "+addr+": remove that by a reload before, or restart memverbs")
}

// A reload can be asked for over HTTP, and the metrics tell whether the last one worked.
func TestReloadOverHTTP(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[0])
	file, addr, admin := filepath.Join(t.TempDir(), "memverbs.yml"), harness.FreeAddr(t), harness.FreeAddr(t)
	text := fmt.Sprintf("admin: %s\npools:\n  main:\n    listen: [%q]\n    servers: [%q]\n", admin, addr, store.Addr)
	for _, c := range []struct {
		file, answer, metric string
	}{
		{text, "reloaded\n", "memverbs_config_last_reload_successful 1\n"},
		{text + "loop: 1\n", file + ":6:1: no key \"loop\" here; is \"loops\" meant?\n", "memverbs_config_last_reload_successful 0\n"},
		{text, "reloaded\n", "memverbs_config_last_reload_successful 1\n"},
	} {
		if _, err := os.Stat(file); err != nil {
			writeText(t, file, c.file)
			harness.StartMemverbsWith(t, file, addr)
		}
		writeText(t, file, c.file)
		answer, err := http.Post("http://"+admin+"/-/reload", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if string(said) != c.answer {
			t.Errorf("the answer is %q, expected %q", said, c.answer)
		}
		harness.Await(t, c.metric, func() bool { return strings.Contains(scrape(t, admin), c.metric) })
	}
}

// scrape returns what the admin server tells Prometheus.
func scrape(t *testing.T, admin string) string {
	t.Helper()
	answer, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// A retrieval has a pop, which is begun once its other keys are answered. If the pool has been replaced by
// then, the pop is refused, as the list may be elsewhere.
func TestPopOfARetrievalAfterReload(t *testing.T) {
	t.Parallel()
	frozen, other := harness.StartMemcached(t, harness.Versions[0]), harness.StartMemcached(t, harness.Versions[1])
	servers := []string{frozen.Addr, other.Addr}
	r := &harness.Reloading{File: filepath.Join(t.TempDir(), "memverbs.yml")}
	addr := harness.FreeAddr(t)
	write := func(setting string) {
		text := fmt.Sprintf("pools:\n  main:\n    listen: [%q]\n    verb-keys: v/\n    timeout: 20s\n    %s\n    servers: [\"%s\"]\n", addr, setting, strings.Join(servers, `", "`))
		if err := os.WriteFile(r.File, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	r.Memverbs = harness.StartMemverbsWith(t, r.File, addr)
	layout := harness.LayoutOf(t, servers)
	list, plain := harness.KeyOn(layout, 1, "list"), harness.KeyOn(layout, 0, "plain")
	c := harness.Dial(t, r.Addr)
	c.Ask("set v/rpush/"+list+" 0 0 3\r\na b\r\nget "+plain+"\r\n", "STORED\r\nEND\r\n")

	frozen.Freeze(t)
	c.Send("get v/lpop/" + list + " " + plain + "\r\n")
	bystander := harness.Dial(t, r.Addr)
	bystander.Ask("get v/llen/"+list+"\r\n", "VALUE v/llen/"+list+" 0 1\r\n2\r\nEND\r\n") // not popped yet
	write("compact-dirtiness: 99")
	r.Reload(t, "msg=reloaded")
	frozen.Thaw(t)
	c.Expect("SERVER_ERROR the configuration was reloaded meanwhile; try again\r\n")
	c.Ask("get v/lrange/"+list+"\r\n", "VALUE v/lrange/"+list+" 0 3\r\na b\r\nEND\r\n")
	c.Ask("get v/lpop/"+list+" "+plain+"\r\n", "VALUE v/lpop/"+list+" 0 1\r\na\r\nEND\r\n")
}
