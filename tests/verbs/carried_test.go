package verbs

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Verbs that ordinary commands carry take their turn among all others.
func TestCarriedVerbsInALongPipeline(t *testing.T) {
	t.Parallel()
	testPipeline(t, talker.carriedOrNot, false, "--verb-keys", "verb/")
}

func TestCompactionDoesNotShowInCarriedVerbs(t *testing.T) {
	t.Parallel()
	testPipeline(t, talker.carriedOrNotBlindToLogs, true, "--verb-keys", "verb/")
}

func (w talker) carriedOrNot() exchange {
	if w.IntN(2) == 0 {
		return w.carried()
	}
	return w.command()
}

func (w talker) carriedOrNotBlindToLogs() exchange {
	if w.IntN(2) == 0 {
		return w.carried()
	}
	return w.commandBlindToLogs()
}

// carried is a verb on a set, carried by an ordinary command.
func (w talker) carried() exchange {
	key, member := w.pick("set"), fmt.Sprintf("m%d", w.IntN(12))
	switch w.IntN(5) {
	case 0:
		return w.quietly("noreply", "set verb/sadd/"+key+" 7 0 "+strconv.Itoa(len(member)), member+"\r\n", w.setAdd(key, []string{member}), true)
	case 1:
		reply := strings.Replace(w.setRemove(key, []string{member}), "NOT_FOUND", "NOT_STORED", 1)
		return w.quietly("noreply", "set verb/srem/"+key+" 0 0 "+strconv.Itoa(len(member)), member+"\r\n", reply, true)
	case 2:
		line := "ms verb/sadd/" + key + " " + strconv.Itoa(len(member))
		w.setAdd(key, []string{member})
		return w.quietly("q", line, member+"\r\n", "HD\r\n", true)
	case 3:
		data, _ := w.carriedValue("scard", key, "")
		reply := "EN\r\n"
		if data != "" {
			reply = fmt.Sprintf("VA %d\r\n%s\r\n", len(data), data)
		}
		return w.quietly("q", "mg verb/scard/"+key+" v", "", reply, data == "")
	default:
		return w.carriedRetrieval()
	}
}

// carriedRetrieval is a get of several keys, some of which name verbs.
func (w talker) carriedRetrieval() exchange {
	request, reply := "get", ""
	for range 1 + w.IntN(4) {
		key := w.pick("set")
		member := fmt.Sprintf("m%d", w.IntN(12))
		verbs := []string{"smembers", "scard", "sismember", ""}
		switch verb := verbs[w.IntN(len(verbs))]; verb {
		case "":
			key = w.pick("value")
			request += " " + key
			reply += strings.TrimSuffix(w.get(key), "END\r\n")
		default:
			data, asked := w.carriedValue(verb, key, member)
			request += " " + asked
			if _, exists := w.model[key]; exists {
				reply += fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\n", asked, len(data), data)
			}
		}
	}
	return exchange{request + "\r\n", reply + "END\r\n"}
}

// carriedValue returns what a verb reads, and the key that asks for it.
func (w talker) carriedValue(verb, key, member string) (data, asked string) {
	asked = "verb/" + verb + "/" + key
	if _, exists := w.model[key]; !exists {
		if verb == "sismember" {
			asked += "/" + member
		}
		return "", asked
	}
	members, _ := w.model.set(key)
	switch verb {
	case "smembers":
		data = strings.Join(members, " ")
	case "scard":
		data = strconv.Itoa(len(members))
	case "sismember":
		asked += "/" + member
		data = strings.TrimSpace(w.setHas(key, []string{member}))
	}
	return data, asked
}

// A retrieval of many large sets is answered a few at a time, not held as a
// whole.
func TestCarriedRetrievalIsBounded(t *testing.T) {
	t.Parallel()
	m := harness.StartPlainMemverbs(t, "--verb-keys", "verb/", "--embedded-memory", "16MB")
	c := harness.Dial(t, m.Addr)
	var list []string
	for i := range 2800 {
		list = append(list, fmt.Sprintf("%06d%s", i, strings.Repeat("m", 243)))
	}
	members := strings.Join(list, " ")
	for i := range 9 {
		c.Ask(fmt.Sprintf("set verb/sadd/s%d 0 0 %d\r\n%s\r\n", i, len(members), members), "STORED\r\n")
	}
	var request, reply strings.Builder
	request.WriteString("get")
	for i := range 120 {
		key := fmt.Sprintf("verb/smembers/s%d", i%9)
		fmt.Fprintf(&request, " %s", key)
		fmt.Fprintf(&reply, "VALUE %s 0 %d\r\n%s\r\n", key, len(members), members)
	}
	reply.WriteString("END\r\n")
	c.Send(request.String() + "\r\n")
	if c.Exactly(reply.Len()) != reply.String() {
		t.Error("the sets are not those that were stored")
	}
	c.InStep()
	m.CheckResident(t, "retrieval of many sets")
}

// An upstream that is down costs the keys that live on it, carried or not.
func TestCarriedVerbsWithAnUpstreamDown(t *testing.T) {
	t.Parallel()
	s := harness.StartStore(t, "memcached-1.6.38", "--verb-keys", "verb/")
	c := harness.Dial(t, s.Addr)
	for i := range 20 {
		c.Ask(fmt.Sprintf("set verb/sadd/s%d 0 0 1\r\na\r\n", i), "STORED\r\n")
	}
	s.Memcacheds[0].Kill(t)
	awaitDown(t, s.Memverbs)
	up, down := 0, 0
	for i := range 20 {
		key := fmt.Sprintf("verb/scard/s%d", i)
		c.Send("get " + key + "\r\n")
		if line := c.Line(); strings.HasPrefix(line, "SERVER_ERROR upstream") {
			down++
			refused, _, _ := strings.Cut(line, ": ") // the reason is another after the next attempt to connect
			for _, request := range []string{fmt.Sprintf("set verb/sadd/s%d 0 0 1\r\nb\r\n", i), "mg " + key + " v\r\n", "get other " + key + " " + key + "\r\n"} {
				if c.Send(request); !strings.HasPrefix(c.Line(), refused) {
					t.Errorf("%q was not answered by %q", request, refused)
				}
			}
			continue
		}
		up++
		c.Expect("1\r\nEND\r\n")
	}
	if up == 0 || down == 0 {
		t.Errorf("of 20 sets %d could be read, %d not", up, down)
	}
	c.InStep()
}

// A pop of a retrieval is carried out only if the client gets all that the retrieval asks for.
func TestPopOfARetrievalIsLast(t *testing.T) {
	t.Parallel()
	s := harness.StartStore(t, "memcached-1.6.38", "--verb-keys", "v/")
	c := harness.Dial(t, s.Addr)
	c.Ask("set v/rpush/L 0 0 5\r\na b c\r\nset v/sadd/S 0 0 1\r\nx\r\nset P 0 0 1\r\np\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
	intact := func() {
		t.Helper()
		c.Ask("get v/lrange/L\r\n", "VALUE v/lrange/L 0 5\r\na b c\r\nEND\r\n")
	}
	const alone = "CLIENT_ERROR v/%s/L removes what it answers with; ask for it by itself"
	for _, refused := range [][2]string{
		{"v/lpop/L v/smembers/P", "CLIENT_ERROR P does not hold a set"},
		{"v/smembers/P v/lpop/L", "CLIENT_ERROR P does not hold a set"},
		{"v/lpop/L P v/rpop/L", fmt.Sprintf(alone, "rpop")},
		{"v/lpop/L v/lpop/L", fmt.Sprintf(alone, "lpop")},
		{"v/lpop/L" + strings.Repeat(" v/smembers/S", 9), fmt.Sprintf(alone, "lpop")}, // divided, as the sets may be large
		{strings.Repeat("v/smembers/S ", 9) + "v/lpop/L", fmt.Sprintf(alone, "lpop")},
	} {
		c.Send("get " + refused[0] + "\r\n")
		if got := untilError(c); got != refused[1] {
			t.Errorf("get %s: %q, expected %q", refused[0], got, refused[1])
		}
		intact()
	}
	// What the client sends next is carried out afterwards.
	c.Ask("get v/lpop/L P v/scard/S none v/llen/L\r\nset v/rpush/L 0 0 1\r\nd\r\nget v/lrange/L\r\n",
		"VALUE v/lpop/L 0 1\r\na\r\nVALUE P 0 1\r\np\r\nVALUE v/scard/S 0 1\r\n1\r\nVALUE v/llen/L 0 1\r\n3\r\nEND\r\n"+
			"STORED\r\nVALUE v/lrange/L 0 5\r\nb c d\r\nEND\r\n")

	s.Memcacheds[0].Kill(t)
	awaitDown(t, s.Memverbs)
	up, down := "", ""
	for i := 0; up == "" || down == ""; i++ {
		list := fmt.Sprint("L", i)
		c.Send("set v/rpush/" + list + " 0 0 1\r\na\r\n")
		if c.Line() == "STORED" {
			up = list
		} else {
			down = list
		}
	}
	c.Send("get v/lpop/" + up + " v/llen/" + down + "\r\n")
	if got := untilError(c); !strings.HasPrefix(got, "SERVER_ERROR upstream") {
		t.Errorf("although a server is down, it answers %q", got)
	}
	c.Ask("get v/lrange/"+up+"\r\n", "VALUE v/lrange/"+up+" 0 1\r\na\r\nEND\r\n")
	c.InStep()
}

// awaitDown waits until memverbs has seen that an upstream is down. An event loop that had yet to connect
// says that it can't be reached.
func awaitDown(t *testing.T, m *harness.Memverbs) {
	t.Helper()
	harness.Await(t, "the upstream to be seen down", func() bool {
		return strings.Contains(m.Log(), "upstream is down") || strings.Contains(m.Log(), "upstream can't be reached")
	})
}

// untilError reads the reply to a retrieval, and returns the error in it or the line at its end.
func untilError(c *harness.Client) string {
	for {
		if line := c.Line(); line == "END" || strings.HasPrefix(line, "CLIENT_ERROR") || strings.HasPrefix(line, "SERVER_ERROR") {
			return line
		}
	}
}

// A verb is counted however it is asked for.
func TestCarriedVerbsAreCounted(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t, "--verb-keys", "verb/")
	c := harness.Dial(t, m.Addr)
	c.Ask("set verb/sadd/s 0 0 1\r\na\r\n", "STORED\r\n")
	c.Ask("get verb/scard/s verb/scard/s\r\n", "VALUE verb/scard/s 0 1\r\n1\r\nVALUE verb/scard/s 0 1\r\n1\r\nEND\r\n")
	c.Ask("mg verb/scard/s v\r\n", "VA 1\r\n1\r\n")
	told := m.OwnStats()
	for name, want := range map[string]string{
		"command_set": "1", "command_get": "1", "command_mg": "1",
		"verb_sadd": "1", "verb_scard": "3", "verb_scard_round_trips": "3",
	} {
		if told[name] != want {
			t.Errorf("%s is %s, expected %s", name, told[name], want)
		}
	}
}
