package discovery

import (
	"time"

	"github.com/miekg/dns"
)

// longestChain is how many aliases may lead from a name to its records.
const longestChain = 8

// records returns the records of a type that a reply has for a name, or for the name that its aliases lead to; and how
// long they may be kept.
func records[T dns.RR](reply *dns.Msg, name string) (list []T, ttl time.Duration) {
	owner, least := dns.CanonicalName(name), ^uint32(0)
	for range longestChain {
		alias := aliasOf(reply, owner)
		if alias == nil {
			break
		}
		owner, least = dns.CanonicalName(alias.Target), min(least, alias.Hdr.Ttl)
	}
	for _, record := range reply.Answer {
		if r, is := record.(T); is && dns.CanonicalName(r.Header().Name) == owner {
			list, least = append(list, r), min(least, r.Header().Ttl)
		}
	}
	if list == nil {
		return nil, 0
	}
	return list, time.Duration(least) * time.Second
}

// aliasOf returns the alias record of a name, nil if it has none.
func aliasOf(reply *dns.Msg, owner string) *dns.CNAME {
	for _, record := range reply.Answer {
		if alias, is := record.(*dns.CNAME); is && dns.CanonicalName(alias.Hdr.Name) == owner {
			return alias
		}
	}
	return nil
}
