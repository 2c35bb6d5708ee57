// Package nameserver is a name server for tests, on a free port of the loopback interface.
package nameserver

import (
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/miekg/dns"
)

// Server answers questions by what it was told. It speaks UDP and TCP. It is safe for concurrent use.
type Server struct {
	// Addr is where it listens: an address and a port.
	Addr string

	mu     sync.Mutex
	zone   map[dns.Question][]dns.RR
	names  map[string]bool
	fails  bool
	by     map[string]int
	mangle func(*dns.Msg)
}

// Start starts a server that knows no name, and ends it with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{zone: map[dns.Question][]dns.RR{}, names: map[string]bool{}, by: map[string]int{}}
	packets, listener := listen(t)
	s.Addr = listener.Addr().String()
	for _, server := range []*dns.Server{{PacketConn: packets, Handler: s}, {Listener: listener, Handler: s}} {
		started := make(chan struct{})
		server.NotifyStartedFunc = func() { close(started) }
		go func() { _ = server.ActivateAndServe() }()
		<-started
		t.Cleanup(func() { _ = server.Shutdown() })
	}
	return s
}

// tries is how many ports are tried until one is free for both protocols.
const tries = 100

func listen(t testing.TB) (packets net.PacketConn, listener net.Listener) {
	t.Helper()
	for range tries {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if packets, err := net.ListenPacket("udp", listener.Addr().String()); err == nil {
			return packets, listener
		}
		_ = listener.Close()
	}
	t.Fatal("no port is free for UDP and TCP")
	return nil, nil
}

// Set makes a name have these records of one type and no others, in the form of zone files without the name: such as
// "5 A 127.0.0.1". Without any the name exists, and has none of that type.
func (s *Server) Set(t testing.TB, name, of string, records ...string) {
	t.Helper()
	var list []dns.RR
	for _, text := range records {
		record, err := dns.NewRR(name + " " + text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, record)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = true
	s.zone[dns.Question{Name: name, Qtype: dns.StringToType[of], Qclass: dns.ClassINET}] = list
}

// SetAddresses makes a name have these addresses of IPv4 and no others.
func (s *Server) SetAddresses(t testing.TB, name string, addresses ...string) {
	t.Helper()
	var records []string
	for _, a := range addresses {
		records = append(records, "1 A "+a)
	}
	s.Set(t, name, "A", records...)
}

// Fail makes the server answer with failures, or no longer.
func (s *Server) Fail(fails bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = fails
}

// Mangle makes the server change each answer by a function before it is sent.
func (s *Server) Mangle(by func(*dns.Msg)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mangle = by
}

// Asked returns how often the server was asked by a protocol, udp or tcp.
func (s *Server) Asked(network string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[network]
}

// ServeDNS implements [dns.Handler].
func (s *Server) ServeDNS(w dns.ResponseWriter, question *dns.Msg) {
	network := w.RemoteAddr().Network()
	reply := s.reply(question, network)
	if options := question.IsEdns0(); network == "udp" && options != nil {
		reply.Truncate(int(options.UDPSize()))
	}
	_ = w.WriteMsg(reply)
}

func (s *Server) reply(question *dns.Msg, network string) *dns.Msg {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.by[network]++
	q := question.Question[0]
	q.Name = strings.ToLower(q.Name)
	reply := new(dns.Msg).SetReply(question)
	switch {
	case s.fails:
		reply.Rcode = dns.RcodeServerFailure
	case !s.names[q.Name]:
		reply.Rcode = dns.RcodeNameError
	default:
		reply.Answer = s.zone[q]
	}
	if s.mangle != nil {
		s.mangle(reply)
	}
	return reply
}
