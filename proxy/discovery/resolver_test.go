package discovery

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/memverbs/memverbs/tests/nameserver"
)

// ask asks a name server for a source.
func ask(t *testing.T, s *nameserver.Server, source string) (Answer, error) {
	t.Helper()
	parsed, err := ParseSource(source)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Asker(Means{Resolver: NewResolver(s.Addr)}).Ask(t.Context())
}

// answers expects what a source lists: servers, or a part of an error.
func answers(t *testing.T, s *nameserver.Server, source, want string) {
	t.Helper()
	a, err := ask(t, s, source)
	if got := strings.Join(a.Servers, " "); err == nil && got != want {
		t.Errorf("%s lists %q, expected %q", source, got, want)
	} else if err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, expected %q", source, err, want)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	s := nameserver.Start(t)
	const source = "dns:Cache.test:1"
	answers(t, s, source, "there is no such name")
	s.Set(t, "cache.test.", "A")
	answers(t, s, source, "the answer has no servers")
	s.Set(t, "cache.test.", "AAAA", "9 AAAA fd00::2", "7 AAAA fd00::1")
	answers(t, s, source, "[fd00::1]:1 [fd00::2]:1")
	s.Set(t, "cache.test.", "A", "9 A 10.0.0.10", "3 A 10.0.0.9", "9 A 10.0.0.9")
	answers(t, s, source, "10.0.0.9:1 10.0.0.10:1")
	if a, _ := ask(t, s, source); a.TTL != 3*time.Second {
		t.Errorf("the TTL is %v", a.TTL)
	}
	s.Set(t, "alias.test.", "A", "2 CNAME b.test.")
	answers(t, s, "dns:alias.test:1", "the answer has no servers")
	s.Fail(true)
	answers(t, s, source, "SERVFAIL")
}

// An answer that does not fit into a datagram is asked for by TCP.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	s := nameserver.Start(t)
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf("10.0.1.%d", i))
	}
	s.SetAddresses(t, "cache.test.", many...)
	a, err := ask(t, s, "dns:cache.test:1")
	if err != nil || len(a.Servers) != 200 || s.Asked("udp") != 1 || s.Asked("tcp") != 1 {
		t.Errorf("%d servers (%v), asked %d times by UDP and %d by TCP", len(a.Servers), err, s.Asked("udp"), s.Asked("tcp"))
	}
}

func TestServices(t *testing.T) {
	t.Parallel()
	s := nameserver.Start(t)
	const name, source = "_memcache._tcp.cache.test.", "srv:_memcache._tcp.cache.test"
	s.Set(t, name, "SRV", "5 SRV 0 10 11211 Cache-10.test.", "5 SRV 1 90 11212 cache-9.test.")
	answers(t, s, source, "cache-9.test:11212 cache-10.test:11211")
	s.Set(t, name, "SRV", "5 SRV 0 0 0 .")
	answers(t, s, source, "the answer has no servers")
	s.Set(t, name, "SRV", "5 SRV 0 0 0 cache.test.")
	answers(t, s, source, `server "cache.test:0"`)
	s.Set(t, name, "SRV", `5 SRV 0 0 11211 a\032b.test.`)
	answers(t, s, source, "what is no server")
}

// Whatever a name server sends, the answer is a list of servers or an error.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	s := nameserver.Start(t)
	s.SetAddresses(t, "cache.test.", "0.0.0.0", "10.0.0.1")
	answers(t, s, "dns:cache.test:1", "is not the address of a machine")
	s.SetAddresses(t, "cache.test.", "224.0.0.1")
	answers(t, s, "dns:cache.test:1", "is not the address of a machine")
	s.SetAddresses(t, "cache.test.", "10.0.0.1")
	for what, test := range map[string]struct {
		by   func(*dns.Msg)
		want string
	}{
		"another question":        {func(m *dns.Msg) { m.Question[0].Name = "other.test." }, "has answered another question"},
		"no question":             {func(m *dns.Msg) { m.Question = nil }, "has answered another question"},
		"a query":                 {func(m *dns.Msg) { m.Response = false }, "has answered another question"},
		"cut off by TCP too":      {func(m *dns.Msg) { m.Truncated = true }, "has answered in part"},
		"a refusal":               {func(m *dns.Msg) { m.Rcode = dns.RcodeRefused }, "REFUSED"},
		"records of another name": {func(m *dns.Msg) { m.Answer = rename(m.Answer, "other.test.") }, "the answer has no servers"},
		"a circle of aliases": {func(m *dns.Msg) {
			m.Answer = []dns.RR{alias("cache.test.", "b.test."), alias("b.test.", "cache.test.")}
		}, "the answer has no servers"},
		"aliases": {func(m *dns.Msg) {
			m.Answer = append(rename(m.Answer, "c.test."), alias("b.test.", "c.test."), alias("cache.test.", "b.test."))
		}, "10.0.0.1:1"},
		"too many servers": {func(m *dns.Msg) {
			if m.Answer = nil; m.Question[0].Qtype != dns.TypeA {
				return
			}
			for i := range 600 {
				r, _ := dns.NewRR(fmt.Sprintf("cache.test. 1 A 10.0.%d.%d", i/250, i%250))
				m.Answer = append(m.Answer, r)
			}
		}, "the answer has 600 servers; the most"},
	} {
		s.Mangle(test.by)
		t.Log(what)
		answers(t, s, "dns:cache.test:1", test.want)
	}
}

func alias(from, to string) dns.RR {
	r, _ := dns.NewRR(from + " 1 CNAME " + to)
	return r
}

func rename(records []dns.RR, name string) (list []dns.RR) {
	for _, r := range records {
		r = dns.Copy(r)
		r.Header().Name = name
		list = append(list, r)
	}
	return list
}
