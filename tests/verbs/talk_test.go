package verbs

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// exchange is one command and what it should be answered.
type exchange struct {
	request, reply string
}

// talker makes up commands, and asks a model what they should be answered.
type talker struct {
	*rand.Rand
	model
}

// makeTalk returns n commands, in their order, with their answers.
func makeTalk(random *rand.Rand, n int, next func(talker) exchange) []exchange {
	w := talker{random, model{}}
	talk := make([]exchange, n)
	for i := range talk {
		talk[i] = next(w)
	}
	return talk
}

// command is any command.
func (w talker) command() exchange {
	if w.IntN(4) == 0 {
		return w.read(w.pick("set"))
	}
	return w.commandBlindToLogs()
}

// commandBlindToLogs is any command that does not show how a set is stored.
func (w talker) commandBlindToLogs() exchange {
	about := []func() exchange{w.value, w.value, w.number, w.set, w.set, w.set, w.any}
	return about[w.IntN(len(about))]()
}

// A key holds either values, or numbers, or a set; else verbs could not be
// told from what they are mistaken for, such as srem on a text.
func (w talker) pick(prefix string) string { return fmt.Sprintf("%s%d", prefix, w.IntN(8)) }

// text returns data that is no set and no number: empty, short, or larger than
// a packet.
func (w talker) text() string {
	sizes := []int{0, 1, 10, 100, 3000, 40_000}
	return strings.Repeat("x", sizes[w.IntN(len(sizes))])
}

// quietly adds an option to the line of a command, which takes the answer
// away, if hides says so.
func (w talker) quietly(option, line, data, reply string, hides bool) exchange {
	if w.IntN(5) == 0 {
		line += " " + option
		if hides {
			reply = ""
		}
	}
	return exchange{line + "\r\n" + data, reply}
}

// value is a command about a value.
func (w talker) value() exchange {
	key, data := w.pick("value"), w.text()
	switch w.IntN(7) {
	default:
		commands := []string{"set", "set", "add", "replace", "append", "prepend"}
		command, flags := commands[w.IntN(len(commands))], w.IntN(100)
		if len(w.model[key].value) > 100_000 {
			command = "set"
		}
		line := fmt.Sprintf("%s %s %d 0 %d", command, key, flags, len(data))
		return w.quietly("noreply", line, data+"\r\n", w.store(command, key, data, flags), true)
	case 0:
		line := fmt.Sprintf("ms %s %d F9", key, len(data))
		w.store("set", key, data, 9)
		return w.quietly("q", line, data+"\r\n", "HD\r\n", true)
	case 1:
		return exchange{"smembers " + key + "\r\n", w.setMembers(key)}
	case 2:
		return exchange{"incr " + key + " 1\r\n", w.add(key, 1)}
	case 3:
		line := fmt.Sprintf("cas %s 0 0 %d 18446744073709551615", key, len(data))
		return w.quietly("noreply", line, data+"\r\n", w.ifThere(key, "EXISTS", "NOT_FOUND"), true)
	}
}

// number is a command about a number. It keeps its seven digits, since
// memcached pads one that becomes shorter, depending on who else reads it.
func (w talker) number() exchange {
	key, step := w.pick("number"), w.IntN(100)
	switch w.IntN(4) {
	default:
		return w.quietly("noreply", fmt.Sprintf("incr %s %d", key, step), "", w.add(key, step), true)
	case 0:
		return w.quietly("noreply", fmt.Sprintf("decr %s %d", key, step), "", w.add(key, -step), true)
	case 1:
		line := fmt.Sprintf("ma %s D%d v", key, step)
		reply := w.add(key, step)
		missing := reply == "NOT_FOUND\r\n"
		if reply = "VA 7\r\n" + reply; missing {
			reply = "NF\r\n"
		}
		return w.quietly("q", line, "", reply, !missing)
	case 2:
		return w.quietly("noreply", "add "+key+" 0 0 7", "5000000\r\n", w.store("add", key, "5000000", 0), true)
	}
}

// set is a command about a set.
func (w talker) set() exchange {
	key := w.pick("set")
	members := make([]string, 1+w.IntN(3))
	for i := range members {
		members[i] = fmt.Sprintf("m%d", w.IntN(12))
	}
	list := key + " " + strings.Join(members, " ")
	switch w.IntN(6) {
	default:
		return w.quietly("noreply", "sadd "+list, "", w.setAdd(key, members), true)
	case 0:
		return w.quietly("noreply", "srem "+list, "", w.setRemove(key, members), true)
	case 1:
		other := w.pick("set")
		return exchange{fmt.Sprintf("smembers %s %s\r\n", key, other), w.setMembers(key, other)}
	case 2:
		return exchange{"sismember " + list + "\r\n", w.setHas(key, members)}
	case 3:
		return exchange{"scard " + key + "\r\n", w.setSize(key)}
	case 4:
		return w.quietly("noreply", "append "+key+" 0 0 5", "+own \r\n", w.store("append", key, "+own ", 0), true)
	}
}

// any is a command about an item of any sort, or about none.
func (w talker) any() exchange {
	key := w.pick([]string{"value", "number", "set"}[w.IntN(3)])
	switch w.IntN(8) {
	default:
		return w.read(w.pick("value"))
	case 0:
		return w.quietly("noreply", "delete "+key, "", w.delete(key, "DELETED", "NOT_FOUND"), true)
	case 1:
		reply := w.delete(key, "HD", "NF")
		return w.quietly("q", "md "+key, "", reply, reply == "HD\r\n")
	case 2:
		return w.quietly("noreply", "touch "+key+" 0", "", w.ifThere(key, "TOUCHED", "NOT_FOUND"), true)
	case 3:
		return exchange{"mn\r\n", "MN\r\n"}
	case 4:
		return exchange{"get " + strings.Repeat("k", 251) + "\r\n", "CLIENT_ERROR bad command line format\r\n"}
	case 5:
		return exchange{"no such command\r\n", "ERROR\r\n"}
	}
}

// read is a command that shows the item under key, and perhaps others.
func (w talker) read(key string) exchange {
	if w.IntN(3) == 0 {
		reply := w.metaGet(key)
		return w.quietly("q", "mg "+key+" v s f k", "", reply, strings.HasPrefix(reply, "EN"))
	}
	keys := []string{key, w.pick("value"), w.pick("number"), w.pick("value")}[:1+w.IntN(4)]
	return exchange{"get " + strings.Join(keys, " ") + "\r\n", w.get(keys...)}
}
