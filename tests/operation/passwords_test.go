package operation

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

const secret = "tr0ub4dor"

// wrongPassword is how a line of the log begins, after its time.
const wrongPassword = `level=WARN msg="a client gave a wrong user or password" client=`

// Who has not authenticated can do nothing, in either protocol, and nothing of it reaches a server.
// The log never shows a password.
func TestPasswords(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--log-level", "debug", "--slow", "1ns",
		"--auth-file", harness.PrivateFile(t, "ann:"+secret+"\nbob:other\n"))
	harness.Dial(t, store.Addr).Ask("set k 0 0 1\r\nv\r\n", "STORED\r\n")

	const refused = "CLIENT_ERROR unauthenticated\r\n"
	c := harness.Dial(t, m.Addr)
	long := strings.Repeat("x", 2_000_000)
	for _, request := range []string{
		"get k\r\n", "get " + strings.Repeat("k ", 500) + "\r\n", "mg k v\r\n", "version\r\n", "stats\r\n", "mn\r\n", "nonsense\r\n", "help\r\n",
		"delete k\r\n", "flush_all\r\n", "add k 0 0 1\r\nv\r\n", "sadd k a\r\n", "smembers k\r\n",
		"set k 0 0 2000000\r\n" + long + "\r\n", "ms k 2000000\r\n" + long + "\r\n", "set k 0 0 x\r\n",
	} {
		c.Ask(request, refused)
	}
	c.Ask("set any 0 0 3\r\nann\r\n", "CLIENT_ERROR bad authentication token format\r\n")
	for _, wrong := range []string{harness.ShowingPassword("ann", "other"), harness.ShowingPassword("carl", secret)} {
		c.Ask(wrong, "CLIENT_ERROR authentication failure\r\n")
	}
	c.Ask("get k\r\n", refused)
	c.Ask(harness.ShowingPassword("ann", secret), "STORED\r\n")
	c.Ask("get k\r\n", "VALUE k 0 1\r\nv\r\nEND\r\n")
	c.Ask("sadd s a\r\nscard s\r\n", "STORED\r\n1\r\n")

	quits := harness.Dial(t, m.Addr)
	quits.Send("quit\r\n")
	quits.Closed()

	c.Send("stats proxy\r\n")
	if stats := c.Until("END"); !strings.Contains(stats, "STAT auth_cmds 3\r\nSTAT auth_errors 2\r\n") {
		t.Errorf("expected 3 attempts, 2 of them wrong: %s", stats)
	}
	harness.Await(t, "the log to tell of the wrong password", func() bool {
		return strings.Contains(m.Log(), wrongPassword+c.Addr()+" listener="+m.Addr+" more=0\n")
	})
	if strings.Contains(m.Log(), secret) {
		t.Errorf("the log shows the password:\n%s", m.Log())
	}
	if n := store.Stats()["cmd_flush"]; n != "0" {
		t.Errorf("the server was flushed %s times", n)
	}
}

// requestPacket returns a packet of the binary protocol.
func requestPacket(opcode byte, key, value string) string {
	b := []byte{0x80, opcode}
	b = binary.BigEndian.AppendUint16(b, uint16(len(key)))
	b = append(b, 0, 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(len(key)+len(value)))
	return string(append(b, make([]byte, 12)...)) + key + value
}

// answerPacket returns the answer of that status to a packet.
func answerPacket(opcode byte, status uint16, value string) string {
	b := []byte{0x81, opcode, 0, 0, 0, 0}
	b = binary.BigEndian.AppendUint16(b, status)
	b = binary.BigEndian.AppendUint32(b, uint32(len(value)))
	return string(append(b, make([]byte, 12)...)) + value
}

// Clients of the binary protocol authenticate by SASL PLAIN.
func TestPasswordsInBinary(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--auth-file", harness.PrivateFile(t, "ann:"+secret+"\n"))
	const list, auth, step, get, noop = 0x20, 0x21, 0x22, 0x00, 0x0a
	plain := "\x00ann\x00" + secret
	failed := func(opcode byte) string { return answerPacket(opcode, 0x20, "Auth failure.") }

	for _, request := range []byte{get, noop, 0x0b, 0x10, 0x08} {
		key := ""
		if request == get {
			key = "k"
		}
		early := harness.Dial(t, m.Addr)
		early.Ask(requestPacket(request, key, ""), failed(request))
		early.Closed()
	}
	c := harness.Dial(t, m.Addr)
	c.Ask(requestPacket(list, "", ""), answerPacket(list, 0, "PLAIN"))
	for _, wrong := range []string{"\x00ann\x00wrong", "\x00\x00", "ann", ""} {
		again := harness.Dial(t, m.Addr)
		again.Ask(requestPacket(auth, "PLAIN", wrong), failed(auth))
	}
	other := harness.Dial(t, m.Addr)
	other.Ask(requestPacket(auth, "CRAM-MD5", plain), failed(auth))
	c.Ask(requestPacket(auth, "PLAIN", "\x00ann\x00wrong"), failed(auth))
	c.Ask(requestPacket(auth, "PLAIN", plain), answerPacket(auth, 0, "Authenticated"))
	c.Ask(requestPacket(get, "k", ""), answerPacket(get, 1, "Not found"))
	c.Ask(requestPacket(step, "PLAIN", plain), answerPacket(step, 0, "Authenticated"))
	c.Ask(requestPacket(auth, "PLAIN", "\x00ann\x00wrong")+requestPacket(get, "k", ""), failed(auth)+failed(get))
	c.Closed()
}

// A reload reads the file of passwords again, and demands them from clients that have not shown
// any before.
func TestPasswordsAreReloaded(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	r := &harness.Reloading{File: filepath.Join(t.TempDir(), "memverbs.yml")}
	addr, users := harness.FreeAddr(t), harness.PrivateFile(t, "ann:one\n")
	write := func(more string) {
		text := fmt.Sprintf("pools:\n  main:\n    listen: [%q]\n    servers: [%q]\n%s", addr, store.Addr, more)
		if err := os.WriteFile(r.File, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	r.Memverbs = harness.StartMemverbsWith(t, r.File, addr)
	early := harness.Dial(t, addr)
	early.Ask("get k\r\n", "END\r\n")
	middle := harness.Dial(t, addr) // in the middle of a retrieval that is carried out in parts
	harness.Dial(t, store.Addr).Ask("set first 0 0 1\r\nv\r\n", "STORED\r\n")
	middle.Send("get first " + strings.Repeat("k ", 3000))
	middle.Expect("VALUE first 0 1\r\nv\r\n")

	write("    auth-file: " + users + "\n")
	r.Reload(t, "msg=reloaded")
	middle.Send("k\r\nget first\r\n")
	middle.Closed()
	early.Ask("get k\r\n", "CLIENT_ERROR unauthenticated\r\n")
	early.Ask(harness.ShowingPassword("ann", "one"), "STORED\r\n")
	early.Ask("get k\r\n", "END\r\n")

	if err := os.WriteFile(users, []byte("ann:two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Reload(t, "msg=reloaded")
	early.Ask("get k\r\n", "END\r\n")
	late := harness.Dial(t, addr)
	late.Ask(harness.ShowingPassword("ann", "one"), "CLIENT_ERROR authentication failure\r\n")
	late.Ask(harness.ShowingPassword("ann", "two"), "STORED\r\n")

	if err := os.WriteFile(users, []byte("two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Reload(t, "line 1 is not user:password")
	harness.Dial(t, addr).Ask(harness.ShowingPassword("ann", "two"), "STORED\r\n")
}

// The proxy authenticates to servers that ask for that, on all connections. One that does not ask
// never shows the password to anybody.
func TestPasswordForServers(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			locked := harness.StartMemcached(t, version, "-Y", harness.PrivateFile(t, "ann:"+secret+"\n"))
			open := harness.StartMemcached(t, version)
			password := harness.PrivateFile(t, secret+"\n")
			m := harness.StartMemverbs(t, "--upstream", locked.Addr, "--upstream", open.Addr, "--user", "ann", "--password-file", password)
			c := harness.Dial(t, m.Addr)
			large := strings.Repeat("v", 200_000)
			for i := range 20 { // large values take second connections
				c.Ask(fmt.Sprintf("set k%d 0 0 %d\r\n%s\r\n", i, len(large), large), "STORED\r\n")
				c.Ask(fmt.Sprintf("get k%d\r\n", i), fmt.Sprintf("VALUE k%d 0 %d\r\n%s\r\nEND\r\n", i, len(large), large))
			}
			harness.Dial(t, open.Addr).Ask("get memverbs\r\n", "END\r\n")
			if strings.Contains(m.Log(), secret) {
				t.Errorf("the log shows the password:\n%s", m.Log())
			}
			for _, c := range []struct{ flags, why string }{
				{"", "asks for a user and a password: set user and password-file of the pool"},
				{"bob", "refuses the user and the password"},
			} {
				flags := []string{"--upstream", locked.Addr}
				if c.flags != "" {
					flags = append(flags, "--user", c.flags, "--password-file", password)
				}
				m := harness.StartMemverbs(t, flags...)
				harness.Await(t, "the log to say why", func() bool { return strings.Contains(m.Log(), c.why) })
				line := harness.Dial(t, m.Addr)
				line.Send("get k\r\n")
				if got := line.Line(); !strings.Contains(got, c.why) {
					t.Errorf("answered %q, expected %q", got, c.why)
				}
			}
		})
	}
}

// A password may have spaces, as with memcached 1.6.45: clients' passwords, and the one for servers, of
// which older ones refuse it.
func TestPasswordsWithSpaces(t *testing.T) {
	t.Parallel()
	users := harness.PrivateFile(t, "ann:two words\nbob: x  y \ncid:a\tb\n")
	password := harness.PrivateFile(t, "two words\n")
	newest := harness.StartMemcached(t, harness.Newest, "-Y", users)
	m := harness.StartMemverbs(t, "--upstream", newest.Addr, "--auth-file", users, "--user", "ann", "--password-file", password)
	var asked []func()
	for _, shown := range []string{"ann two words", "ann two", "ann two words ", "ann  two words", "bob  x  y ", "bob x  y", "cid a\tb", "ann", "ann ", " two words"} {
		direct, proxied := harness.Dial(t, newest.Addr), harness.Dial(t, m.Addr)
		for _, c := range []*harness.Client{direct, proxied} {
			c.Send(fmt.Sprintf("set any 0 0 %d\r\n%s\r\n", len(shown), shown))
		}
		asked = append(asked, func() {
			if here, there := direct.Line(), proxied.Line(); here != there {
				t.Errorf("%q is answered %q by memcached, %q by the proxy", shown, here, there)
			}
		})
	}
	for _, compare := range asked { // wrong ones are answered after a while
		compare()
	}
	c := harness.Dial(t, m.Addr)
	c.Ask(harness.ShowingPassword("ann", "two words")+"get k\r\n", "STORED\r\nEND\r\n")
	for _, version := range harness.Versions[:2] {
		older := harness.StartMemcached(t, version, "-Y", users)
		c := harness.Dial(t, harness.StartMemverbs(t, "--upstream", older.Addr, "--user", "ann", "--password-file", password).Addr)
		c.Send("get k\r\n")
		if line := c.Line(); !strings.Contains(line, "accept no password with a space") || strings.Contains(line, "two") {
			t.Errorf("in front of memcached %s a get is answered %q", version, line)
		}
	}
}

// A server that begins to ask for a password on connections that it has served is down: clients, of
// either protocol, are not told that it was they who had to show one.
func TestServerThatBeginsToAskForAPassword(t *testing.T) {
	t.Parallel()
	rogue := harness.StartRogue(t, map[string]harness.Trick{"asks": harness.Says("CLIENT_ERROR unauthenticated\r\n")})
	password := harness.PrivateFile(t, "secret\n")
	for _, test := range []struct {
		flags []string
		says  string
	}{
		{nil, "upstream " + rogue + " asks for a user and a password: set user and password-file of the pool"},
		{[]string{"--user", "ann", "--password-file", password}, "upstream " + rogue + " refuses the user and the password: CLIENT_ERROR unauthenticated"},
	} {
		// With another on-return the key would be deleted on the return, for which the server asks once more.
		m := harness.StartMemverbs(t, append([]string{"--upstream", rogue, "--loops", "1", "--on-return", "keep"}, test.flags...)...)
		c, other := harness.Dial(t, m.Addr), packet.Dial(t, m.Addr)
		connected := func() bool {
			c.Send("get fine\r\n")
			return c.Line() == "END"
		}
		for _, request := range []string{"get", "mg", "delete", "smembers"} {
			harness.Await(t, "the server to be connected", connected)
			c.Ask(request+" asks:1\r\n", "SERVER_ERROR "+test.says+"\r\n")
		}
		harness.Await(t, "the server to be connected", connected)
		if a := other.Ask(packet.Request{Opcode: packet.Get, Key: "asks:1"}); a.Status != packet.Temporary || a.Value != test.says {
			t.Errorf("a client of the binary protocol gets %#x %q, expected %q", a.Status, a.Value, test.says)
		}
	}
}

// A client that tries a wrong password is in nobody's way, and a shutdown does not wait for it for
// long.
func TestWrongPasswordsDelayNobody(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--auth-file", harness.PrivateFile(t, "ann:"+secret+"\n"), "--drain", "5s")
	good := harness.Dial(t, m.Addr)
	good.Ask(harness.ShowingPassword("ann", secret), "STORED\r\n")
	for range 100 {
		harness.Dial(t, m.Addr).Send(strings.Repeat(harness.ShowingPassword("ann", "wrong"), 100))
	}
	for range 1000 {
		good.Ask("get k\r\n", "END\r\n")
	}
	m.Stop(t)
	if strings.Contains(m.Log(), "cut off") {
		t.Errorf("clients that tried wrong passwords were waited for:\n%s", m.Log())
	}
}

// However many wrong passwords clients try, the log has a line about some of them, with the number of
// the others.
func TestWrongPasswordsDoNotFloodTheLog(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--auth-file", harness.PrivateFile(t, "ann:"+secret+"\n"), "--loops", "1")
	tries := 0
	try := func() {
		harness.Dial(t, m.Addr).Ask(harness.ShowingPassword("ann", "wrong"), "CLIENT_ERROR authentication failure\r\n")
		tries++
	}
	numbers := regexp.MustCompile(regexp.QuoteMeta(wrongPassword) + `\S+ listener=\S+ more=(\d+)\n`)
	harness.Await(t, "a line to count others", func() bool {
		try()
		told := 0
		for _, line := range numbers.FindAllStringSubmatch(m.Log(), -1) {
			more, err := strconv.Atoi(line[1])
			if err != nil {
				t.Fatal(err)
			}
			told += 1 + more
		}
		if told > tries {
			t.Fatalf("the log tells of %d wrong passwords, and there were %d:\n%s", told, tries, m.Log())
		}
		return told > strings.Count(m.Log(), wrongPassword)
	})
}
