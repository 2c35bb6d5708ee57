package operation

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// monitored is a memcached, and memverbs over another one, that have been asked
// for the same.
type monitored struct{ direct, proxied string }

func startMonitored(t *testing.T) monitored {
	t.Helper()
	options := []string{"-o", "no_modern,track_sizes"}
	m := monitored{
		direct:  harness.StartMemcached(t, harness.Newest, options...).Addr,
		proxied: harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, harness.Newest, options...).Addr).Addr,
	}
	traffic, _, _ := strings.Cut(harness.Counted, "flush_all")
	for _, addr := range []string{m.direct, m.proxied} {
		fillClasses(t, addr, 3)
		c := harness.Dial(t, addr)
		c.Send(traffic + "mn\r\n")
		c.Until("MN")
		c.Close()
	}
	return m
}

// monitor returns the path of a program that tests/fetch-monitors.sh gets.
func monitor(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", ".cache", "monitors", name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("there is no %s to test with; run \"make needs\", which fetches it (%v)", name, err)
	}
	return path
}

// runPerl returns what a Perl script says, with the modules that it needs.
func runPerl(t *testing.T, env []string, script string, args ...string) string {
	t.Helper()
	lib, err := os.ReadFile(monitor(t, "perl5lib"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "perl", append([]string{script}, args...)...)
	cmd.Dir = filepath.Dir(monitor(t, "perl5lib")) // the modules' paths are relative to it
	cmd.Env = append(append(os.Environ(), "PERL5LIB="+strings.TrimSpace(string(lib))), env...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(script), err, said)
	}
	return string(said)
}

// table reads lines of a name and a value.
func table(said string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(said) {
		if words := strings.Fields(line); len(words) == 2 {
			values[words[0]] = words[1]
		}
	}
	return values
}

// compareTables compares what a monitor shows of a memcached and through
// memverbs: the same names, and where it does not depend on who is asked, the
// same values.
func compareTables(t *testing.T, direct, proxied map[string]string, own func(name string) bool) {
	t.Helper()
	if len(direct) < 2 {
		t.Errorf("little is shown: %v", direct)
	}
	for _, name := range slices.Sorted(maps.Keys(direct)) {
		here, there := direct[name], proxied[name]
		if there == "" || here != there && !own(name) {
			t.Errorf("%s is shown as %q of memcached, %q through the proxy", name, here, there)
		}
	}
}

// memcached-tool comes with memcached.
func TestMemcachedTool(t *testing.T) {
	t.Parallel()
	m := startMonitored(t)
	show := func(addr, mode string) string { return runPerl(t, nil, monitor(t, "memcached-tool"), addr, mode) }

	stats := table(show(m.proxied, "stats"))
	direct := table(show(m.direct, "stats"))
	for name := range strings.FieldsSeq(harness.CountedNames + " bytes curr_items total_items limit_maxbytes evictions reclaimed version") {
		if stats[name] != direct[name] || stats[name] == "" {
			t.Errorf("%s is shown as %q of memcached, %q through the proxy", name, direct[name], stats[name])
		}
	}
	compareTables(t, table(show(m.direct, "sizes")), table(show(m.proxied, "sizes")), func(string) bool { return false })

	here, there := slices.Collect(strings.Lines(show(m.direct, "display"))), slices.Collect(strings.Lines(show(m.proxied, "display")))
	if len(here) != len(there) || len(here) < 5 {
		t.Fatalf("%q of memcached, %q through the proxy", here, there)
	}
	const age = 2 // a column, in seconds
	for i := range here {
		one, two := strings.Fields(here[i]), strings.Fields(there[i])
		one[age], two[age] = "", ""
		if !slices.Equal(one, two) {
			t.Errorf("%q of memcached, %q through the proxy", here[i], there[i])
		}
	}
}

// munin-plugins-extra has a plugin.
func TestMuninPlugin(t *testing.T) {
	t.Parallel()
	m := startMonitored(t)
	for _, of := range []string{"rates", "bytes", "counters"} {
		script := filepath.Join(t.TempDir(), "memcached_"+of) // it goes by its name
		if err := os.Symlink(monitor(t, "munin-memcached"), script); err != nil {
			t.Fatal(err)
		}
		show := func(addr string) map[string]string {
			host, port, _ := strings.Cut(addr, ":")
			return table(runPerl(t, []string{"host=" + host, "port=" + port}, script))
		}
		direct, proxied := show(m.direct), show(m.proxied)
		compareTables(t, direct, proxied, func(name string) bool {
			return strings.Contains(name, "connections") || strings.Contains(name, "bytes_read") || strings.Contains(name, "bytes_written")
		})
		for name, value := range proxied {
			if strings.Trim(value, "0123456789") != "" {
				t.Errorf("%s is shown as %q", name, value)
			}
		}
	}
}

var collectdConfig = template.Must(template.New("").Parse(`
BaseDir "{{.Folder}}"
PIDFile "{{.Folder}}/pid"
PluginDir "{{.Root}}/usr/lib/collectd"
TypesDB "{{.Root}}/usr/share/collectd/types.db"
Hostname "host"
FQDNLookup false
Interval 0.2
LoadPlugin csv
LoadPlugin memcached
<Plugin csv>
  DataDir "stdout"
  StoreRates false
</Plugin>
<Plugin memcached>
  <Instance "direct">
    Address "{{.DirectHost}}"
    Port "{{.DirectPort}}"
  </Instance>
  <Instance "proxied">
    Address "{{.ProxiedHost}}"
    Port "{{.ProxiedPort}}"
  </Instance>
</Plugin>
`))

// collectd has a plugin in C.
func TestCollectd(t *testing.T) {
	t.Parallel()
	m := startMonitored(t)
	shown := map[string]map[string]string{"direct": {}, "proxied": {}}
	rounds := 0
	for line := range collectd(t, m) {
		// PUTVAL host/memcached-<instance>/<name> interval=… <time>:<values>
		words := strings.Fields(line)
		if len(words) != 4 || words[0] != "PUTVAL" {
			continue
		}
		instance, name, _ := strings.Cut(strings.TrimPrefix(words[1], "host/memcached-"), "/")
		_, value, _ := strings.Cut(words[3], ":")
		if shown[instance] == nil {
			t.Fatalf("collectd says %q", line)
		}
		shown[instance][name] = value
		if instance == "proxied" && name == "uptime" {
			rounds++
		}
		if rounds == 5 { // so there are several values of each
			break
		}
	}
	compareTables(t, shown["direct"], shown["proxied"], func(name string) bool {
		for _, own := range []string{"connections", "uptime", "ps_", "memcached_octets", "percent", "threads"} {
			if strings.Contains(name, own) {
				return true
			}
		}
		return false
	})
}

// collectd runs collectd with both to watch, and yields what it says, line by line.
func collectd(t *testing.T, m monitored) func(yield func(string) bool) {
	t.Helper()
	folder := t.TempDir()
	var config bytes.Buffer
	fields := map[string]string{"Folder": folder, "Root": filepath.Dir(monitor(t, "collectd"))}
	fields["DirectHost"], fields["DirectPort"], _ = strings.Cut(m.direct, ":")
	fields["ProxiedHost"], fields["ProxiedPort"], _ = strings.Cut(m.proxied, ":")
	if err := collectdConfig.Execute(&config, fields); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "collectd.conf")
	if err := os.WriteFile(path, config.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(yield func(string) bool) {
		cmd := exec.CommandContext(t.Context(), monitor(t, "collectd"), "-f", "-C", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(harness.Patience, func() { _ = cmd.Process.Kill() })
		for lines := bufio.NewScanner(out); lines.Scan() && yield(lines.Text()); {
		}
		if !timer.Stop() {
			t.Error("collectd did not say in time what was waited for")
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}
