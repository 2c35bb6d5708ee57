package verbs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// model is what a store should hold and answer, for commands that come one
// after another. It knows what pipelines in the tests need and no more: times
// to live and CAS numbers are none of its business.
type model map[string]item

type item struct {
	value string
	flags int
}

// store carries out a storage command, such as set.
func (m model) store(command, key, data string, flags int) string {
	old, exists := m[key]
	switch command {
	case "add":
		if exists {
			return "NOT_STORED\r\n"
		}
	case "replace":
		if !exists {
			return "NOT_STORED\r\n"
		}
	case "append", "prepend":
		if !exists {
			return "NOT_STORED\r\n"
		}
		if flags = old.flags; command == "append" {
			data = old.value + data
		} else {
			data += old.value
		}
	}
	m[key] = item{data, flags}
	return "STORED\r\n"
}

func (m model) get(keys ...string) string {
	var reply strings.Builder
	for _, key := range keys {
		if i, ok := m[key]; ok {
			fmt.Fprintf(&reply, "VALUE %s %d %d\r\n%s\r\n", key, i.flags, len(i.value), i.value)
		}
	}
	return reply.String() + "END\r\n"
}

// metaGet is mg with the flags v, s, f and k.
func (m model) metaGet(key string) string {
	i, ok := m[key]
	if !ok {
		return "EN k" + key + "\r\n"
	}
	n := len(i.value)
	return fmt.Sprintf("VA %d s%d f%d k%s\r\n%s\r\n", n, n, i.flags, key, i.value)
}

// ifThere answers yes or no, by whether there is an item.
func (m model) ifThere(key, yes, no string) string {
	if _, ok := m[key]; ok {
		return yes + "\r\n"
	}
	return no + "\r\n"
}

// delete removes an item and answers yes or no, by whether there was one.
func (m model) delete(key, yes, no string) string {
	defer delete(m, key)
	return m.ifThere(key, yes, no)
}

// add changes a number by delta, which is too small to change its length.
func (m model) add(key string, delta int) string {
	i, ok := m[key]
	if !ok {
		return "NOT_FOUND\r\n"
	}
	n, err := strconv.Atoi(i.value)
	if err != nil {
		return "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"
	}
	i.value = strconv.Itoa(n + delta)
	m[key] = i
	return i.value + "\r\n"
}

// setAdd is sadd.
func (m model) setAdd(key string, members []string) string {
	return m.log(key, "+", members)
}

// setRemove is srem.
func (m model) setRemove(key string, members []string) string {
	if _, ok := m[key]; !ok {
		return "NOT_FOUND\r\n"
	}
	return m.log(key, "-", members)
}

func (m model) log(key, sign string, members []string) string {
	i := m[key]
	for _, member := range members {
		i.value += sign + member + " "
	}
	m[key] = i
	return "STORED\r\n"
}

// set returns the members of a set, in order.
func (m model) set(key string) (members []string, isSet bool) {
	for _, token := range strings.Fields(m[key].value) {
		member := token[1:]
		at := slices.Index(members, member)
		switch {
		case token[0] == '+' && at < 0:
			members = append(members, member)
		case token[0] == '-' && at >= 0:
			members = slices.Delete(members, at, at+1)
		case token[0] != '+' && token[0] != '-':
			return nil, false
		}
	}
	return members, true
}

// setMembers is smembers.
func (m model) setMembers(keys ...string) string {
	var reply strings.Builder
	for _, key := range keys {
		if _, ok := m[key]; !ok {
			continue
		}
		members, isSet := m.set(key)
		if !isSet {
			return notASet(key)
		}
		list := strings.Join(members, " ")
		fmt.Fprintf(&reply, "VALUE %s 0 %d\r\n%s\r\n", key, len(list), list)
	}
	return reply.String() + "END\r\n"
}

// setHas is sismember.
func (m model) setHas(key string, asked []string) string {
	return m.ofSet(key, func(members []string) string {
		bits := make([]string, len(asked))
		for i, member := range asked {
			if bits[i] = "0"; slices.Contains(members, member) {
				bits[i] = "1"
			}
		}
		return strings.Join(bits, " ")
	})
}

// setSize is scard.
func (m model) setSize(key string) string {
	return m.ofSet(key, func(members []string) string { return strconv.Itoa(len(members)) })
}

func (m model) ofSet(key string, answer func(members []string) string) string {
	if _, ok := m[key]; !ok {
		return "NOT_FOUND\r\n"
	}
	members, isSet := m.set(key)
	if !isSet {
		return notASet(key)
	}
	return answer(members) + "\r\n"
}

func notASet(key string) string { return "CLIENT_ERROR " + key + " does not hold a set\r\n" }
