package discovery

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/miekg/dns"
)

const (
	// answerLimit is how long a name server may take.
	answerLimit = 2 * time.Second
	// datagram is the longest answer by UDP, in bytes; it passes every network in one packet.
	datagram = 1232
)

// exchange asks a name server for the records of one type of a name, which is absolute. An answer that does not fit
// into a datagram is asked for again by TCP.
func exchange(ctx context.Context, server, name string, of uint16) (*dns.Msg, error) {
	question := new(dns.Msg)
	question.SetQuestion(name, of)
	question.SetEdns0(datagram, false)
	reply, err := over(ctx, "udp", server, question)
	if err == nil && reply.Truncated {
		reply, err = over(ctx, "tcp", server, question)
	}
	return reply, err
}

// over is exchange by one protocol. An answer to another question is an error.
func over(ctx context.Context, network, server string, question *dns.Msg) (*dns.Msg, error) {
	client := dns.Client{Net: network, Timeout: answerLimit}
	reply, _, err := client.ExchangeContext(ctx, question, server)
	switch {
	case err != nil:
		return nil, fmt.Errorf("name server %s: %w", server, err)
	case !reply.Response || len(reply.Question) != 1 || !asks(reply.Question[0], question.Question[0]):
		return nil, fmt.Errorf("name server %s has answered another question", server)
	case network == "tcp" && reply.Truncated:
		return nil, fmt.Errorf("name server %s has answered in part", server)
	}
	switch reply.Rcode {
	case dns.RcodeSuccess, dns.RcodeNameError:
		return reply, nil
	}
	return nil, fmt.Errorf("name server %s: %s", server, dns.RcodeToString[reply.Rcode])
}

// asks reports whether two questions are the same.
func asks(a, b dns.Question) bool {
	return a.Qtype == b.Qtype && a.Qclass == b.Qclass && strings.EqualFold(a.Name, b.Name)
}

// errNoName is the error for a name that does not exist.
var errNoName = errors.New("there is no such name")
