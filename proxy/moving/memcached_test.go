package moving

import (
	"fmt"
	"strconv"
	"strings"
)

// memcached is a simulated server with one key.
type memcached struct {
	item *stored // nil if there is none
	cas  uint64
}

// stored is the item of a memcached.
type stored struct {
	Item
	expires int64 // in seconds, forever if it does not expire
}

// forever is later than all times.
const forever = 1 << 40

// command is what a client asks for.
type command struct {
	verb, value string
	ttl         int64  // in seconds, 0 for ever
	cas         uint64 // of a cas
}

// kinds has what matters of each verb.
var kinds = map[string]Kind{
	"get": Get, "gets": Gets, "set": Set, "delete": Remove, "add": Add, "count": Count, "bring": Bring,
	"touch": Change, "gat": Change, "cas": Change, "incr": Change, "replace": Rewrite, "append": Rewrite, "prepend": Rewrite,
}

// expire removes an item that has expired.
func (m *memcached) expire(now int64) {
	if m.item != nil && m.item.expires <= now {
		m.item = nil
	}
}

// holds reports whether there is an item of clients.
func (m *memcached) holds() bool { return m.item != nil && string(m.item.Data) != Placeholder }

func (m *memcached) store(data string, flags uint32, expires int64) *Reply {
	m.cas++
	m.item = &stored{Item{Data: []byte(data), Flags: flags, CAS: m.cas}, expires}
	return &Reply{Outcome: Done, Item: Item{CAS: m.cas}}
}

// until returns when what is stored now for a time expires.
func until(now, ttl int64) int64 {
	if ttl == 0 || ttl == Never {
		return forever
	}
	return now + ttl
}

// carryOut carries out an operation of a call that has found an item. text is the reply to the client's command.
func (m *memcached) carryOut(o Operation, cmd command, found Item, now int64) (r *Reply, text string) {
	m.expire(now)
	switch {
	case m.item == nil && (o.If != 0 || o.Do == Look || o.Do == Delete):
		return &Reply{Outcome: Absent}, absence(cmd.verb)
	case o.If != 0 && o.If != m.item.CAS:
		return &Reply{Outcome: Changed}, ""
	}
	switch o.Do {
	case Look:
		return m.look(now), ""
	case Delete:
		m.item = nil
		return &Reply{Outcome: Done}, "DELETED"
	case Fill:
		return m.store(string(found.Data), found.Flags, until(now, found.TTL)), ""
	case Reserve:
		if m.item != nil {
			return &Reply{Outcome: Present}, ""
		}
		return m.store(Placeholder, 0, now+PlaceholderTTL), ""
	case Create:
		if m.item != nil && o.If == 0 {
			return &Reply{Outcome: Present}, "NOT_STORED"
		}
		value, text := cmd.value, "STORED"
		if cmd.verb == "count" {
			_, value, _ = strings.Cut(cmd.value, "/")
			text = value
		}
		return m.store(value, 7, until(now, cmd.ttl)), text
	}
	return m.act(cmd, now)
}

func (m *memcached) look(now int64) *Reply {
	i := m.item.Item
	if i.TTL = Never; m.item.expires != forever {
		i.TTL = m.item.expires - now
	}
	return &Reply{Outcome: Done, Placeholder: !m.holds(), Item: i}
}

// absence is the answer to a command if there is no item.
func absence(verb string) string {
	switch verb {
	case "get", "gets", "gat":
		return "miss"
	case "add", "replace", "append", "prepend":
		return "NOT_STORED"
	}
	return "NOT_FOUND"
}

// act carries out a client's command as it is.
func (m *memcached) act(cmd command, now int64) (*Reply, string) {
	if cmd.verb == "set" {
		return m.store(cmd.value, 7, until(now, cmd.ttl)), "STORED"
	}
	if m.item == nil {
		return &Reply{Outcome: Absent}, absence(cmd.verb)
	}
	was := string(m.item.Data)
	switch cmd.verb {
	case "replace":
		return m.store(cmd.value, 7, until(now, cmd.ttl)), "STORED"
	case "append":
		return m.store(was+cmd.value, m.item.Flags, m.item.expires), "STORED"
	case "prepend":
		return m.store(cmd.value+was, m.item.Flags, m.item.expires), "STORED"
	case "cas":
		if cmd.cas != m.item.CAS {
			return &Reply{Outcome: Changed}, "EXISTS"
		}
		return m.store(cmd.value, 7, until(now, cmd.ttl)), "STORED"
	case "touch", "gat":
		m.item.expires = until(now, cmd.ttl)
		r := &Reply{Outcome: Done, Placeholder: !m.holds()}
		if cmd.verb == "touch" {
			return r, "TOUCHED"
		}
		return r, "=" + was
	case "incr", "count":
		sum, ok := increased(was, cmd.value)
		if !ok {
			return &Reply{Outcome: Refused}, "CLIENT_ERROR"
		}
		return m.store(sum, m.item.Flags, m.item.expires), sum
	}
	panic(fmt.Sprintf("%q?", cmd.verb))
}

// increased returns the sum of an item and the number at the beginning of a value.
func increased(item, value string) (sum string, ok bool) {
	by, _, _ := strings.Cut(value, "/")
	a, err := strconv.ParseUint(item, 10, 64)
	b, _ := strconv.ParseUint(by, 10, 64)
	return strconv.FormatUint(a+b, 10), err == nil
}
