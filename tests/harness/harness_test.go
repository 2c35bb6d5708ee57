package harness

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/spawn"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func TestMemcachedComesAndGoes(t *testing.T) {
	t.Parallel()
	for _, version := range Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			m := StartMemcached(t, version, "-m", "16")
			Dial(t, m.Addr).Ask("version\r\nset a 0 0 1\r\n1\r\n", "VERSION "+version+"\r\nSTORED\r\n")
			for name, end := range map[string]func(testing.TB){"stop": m.Stop, "kill": m.Kill} {
				c := Dial(t, m.Addr)
				c.InStep()
				end(t)
				c.Closed()
				if m.answers() {
					t.Errorf("answers after %s", name)
				}
				m.Restart(t)
				Dial(t, m.Addr).Ask("get a\r\n", "END\r\n")
			}
			if size := m.Stats()["limit_maxbytes"]; size != "16777216" {
				t.Errorf("after a restart without its flags: %s bytes", size)
			}
		})
	}
}

func TestAFrozenMemcachedTakesBytesAndSaysNothing(t *testing.T) {
	t.Parallel()
	m := StartMemcached(t, Versions[0])
	m.Freeze(t)
	c := Dial(t, m.Addr)
	c.Send("mn\r\n")
	if said := c.Rest(); said != "" {
		t.Errorf("said %q", said)
	}
	m.Thaw(t)
	c.Expect("MN\r\n")
}

// The test runs itself in a second process, and kills that.
func TestNothingSurvivesAKilledTestRun(t *testing.T) {
	if os.Getenv("MEMVERBS_TEST_RUN_TO_BE_KILLED") != "" {
		for _, version := range Versions {
			os.Stdout.WriteString("listens on " + StartMemcached(t, version).Addr + "\n")
		}
		io.Copy(io.Discard, os.Stdin) // nothing comes
		return
	}
	t.Parallel()
	run := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	run.Env = append(os.Environ(), "MEMVERBS_TEST_RUN_TO_BE_KILLED=1")
	if _, err := run.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := spawn.Command(run); err != nil {
		t.Fatal(err)
	}
	var addrs []string
	for lines := bufio.NewScanner(out); len(addrs) < len(Versions) && lines.Scan(); {
		if _, addr, ok := strings.Cut(lines.Text(), "listens on "); ok {
			Dial(t, addr).InStep()
			addrs = append(addrs, addr)
		}
	}
	if len(addrs) < len(Versions) {
		t.Fatal("the second process did not start its memcacheds")
	}
	run.Process.Kill()
	run.Wait()
	for _, addr := range addrs {
		Await(t, "the end of "+addr, func() bool {
			conn, err := net.DialTimeout("tcp", addr, time.Second)
			if err == nil {
				conn.Close()
			}
			return err != nil
		})
	}
}
