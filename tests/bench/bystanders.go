//go:build linux

package main

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// scene says what the other clients, beside a bystander, ask for.
type scene struct {
	members int // of the largest set; four other sets have as many together
	values  int // keys of a get
	size    int // of each value, in bytes
}

// wholeScene is the scene of a run; tests have a smaller one.
var wholeScene = scene{members: 2_400_000, values: 1000, size: 500_000}

const (
	// distinct is how many different values there are. A get of more values names
	// some keys several times, which saves memory and makes no difference.
	distinct = 40
	// parts is how many sets there are that are as large together as the largest.
	parts = 4
	// filling is how many members are added at a time.
	filling = 40_000
	// rowTurn is how many times as long as other cells' turns a row's turn is.
	rowTurn = 4
)

// The bystander asks for a small value every 5 ms, on whichever of its connections
// is free: on a single one, each late answer would make all that come after it late.
const (
	bystanderKey   = "bystander"
	bystanderRate  = 200
	bystanderConns = 100
)

// waiterRate is how many times a second a client asks for a large set that does so only now and then.
const waiterRate = 2

// bystanders is the part about clients with small requests while others make large
// ones.
func bystanders(o *options) *part {
	sc := o.scene
	if sc == (scene{}) {
		sc = wholeScene
	}
	st := &stand{scene: sc, rows: sc.rows()}
	return &part{
		name: "bystanders", title: "Bystanders", text: bystandersText,
		table: func([]*cell) *table { return st.table() },
		cells: []*cell{{
			name: "beside", what: "a get every 5 ms beside the large requests of others",
			lasts: st.lasts(o), alone: st.run,
			set: func(*stage) ([]*contestant, error) { return nil, nil }, // nobody takes turns
		}},
	}
}

const bystandersText = `A bystander asks for a small value every 5 ms, while others ask for much as fast as they are answered. Latency counts from
when the request should have been sent. It has 100 connections and takes one that is free, so that one late answer
does not make the next late too. All goes to one memcached, which another such client asks directly meanwhile, while
memverbs bears the load. The bar: a 99th percentile of at most three times that asked directly and 10 ms more, nothing
refused, and not all that the others asked for. Each proxy is started afresh for each row, and has one turn. nutcracker has no sets, and may take 2 GB of address
space, as gets of many large values had it take whatever the machine has. "no answer": 5 s without, or the connection was closed.
A get of 1000 values names 40 keys again and again. Of what others pipeline, answers count when all those of a batch are
there, so there may be none in time. The last two rows are about somebody who asks scard of a set of his
own twice a second, alone and beside others; there, p99 is the longest that it took.`

// row is the requests of others, and how long a bystander waits meanwhile.
type row struct {
	what   string
	others []crowd
	asks   func() *fixed // instead of the bystander's get, if not nil
	plain  bool          // nutcracker can do it too
	flags  []string      // of memverbs, for what is refused by default
	came   map[string]*standing
}

// crowd is some clients that all send one request, again and again.
type crowd struct {
	conns, pipeline int
	source          func() *fixed // called when the row begins, since some are large
}

// rows returns everything that others do.
func (sc scene) rows() []*row {
	scard := func(set string, members int) func() *fixed {
		return func() *fixed { return ask("scard "+set+"\r\n", strconv.Itoa(members)+"\r\n") }
	}
	one := sc.members / parts
	crowded := []crowd{{10, 64, scard(partName(1), one)}}
	own := scard(partName(0), one)
	return []*row{
		{what: "nobody else", plain: true},
		{what: fmt.Sprintf("one scard after another of %d members", sc.members),
			others: []crowd{{1, 1, scard("large", sc.members)}}},
		{what: "4 × smembers of the same", others: []crowd{{4, 1, sc.smembers}}},
		{what: fmt.Sprintf("4 × sunion of %d sets of %d", parts, one), others: []crowd{{4, 1, sc.sunion}}},
		{what: fmt.Sprintf("4 × sinter of %d with itself", sc.members), others: []crowd{{4, 1, sc.sinter}},
			flags: []string{"--buffer-memory", "1g"}}, // the set and the answer take 196 MB
		{what: fmt.Sprintf("4 × sdiff of %d and a part", sc.members), others: []crowd{{4, 1, sc.sdiff}}},
		{what: fmt.Sprintf("4 × get of %d values of %s", sc.values, size(sc.size)), plain: true,
			others: []crowd{{4, 1, sc.get(sc.values)}}},
		{what: fmt.Sprintf("16 × gets of %s, 16 pipelined", size(sc.size)), plain: true,
			others: []crowd{{16, 16, sc.get(1)}}},
		{what: fmt.Sprintf("10 × scard of %d members, 64 pipelined", one), others: crowded},
		{what: "a scard now and then: nobody else", asks: own},
		{what: "a scard now and then: beside those 10", asks: own, others: crowded},
	}
}

// member returns a member of the sets.
func member(n int) string { return fmt.Sprintf("m%07d", n) }

func partName(n int) string { return fmt.Sprintf("part%d", n) }

// members returns members of the sets, a space between.
func members(from, until int) []byte {
	var b bytes.Buffer
	for n := from; n < until; n++ {
		if n > from {
			b.WriteByte(' ')
		}
		b.WriteString(member(n))
	}
	return b.Bytes()
}

// smembers lists the largest set.
func (sc scene) smembers() *fixed {
	all := members(0, sc.members)
	return ask("smembers large\r\n", fmt.Sprintf("VALUE large 0 %d\r\n", len(all)), string(all), "\r\nEND\r\n")
}

// sunion lists the others together, which are the same members.
func (sc scene) sunion() *fixed {
	request := "sunion"
	for n := range parts {
		request += " " + partName(n)
	}
	all := members(0, sc.members/parts*parts)
	return ask(request+"\r\n", fmt.Sprintf("VALUE %s 0 %d\r\n", partName(0), len(all)), string(all), "\r\nEND\r\n")
}

// sinter lists what the largest set has in common with itself: each of its members is looked up.
func (sc scene) sinter() *fixed {
	all := members(0, sc.members)
	return ask("sinter large large\r\n", fmt.Sprintf("VALUE large 0 %d\r\n", len(all)), string(all), "\r\nEND\r\n")
}

// sdiff lists the largest set without the first part.
func (sc scene) sdiff() *fixed {
	rest := members(sc.members/parts, sc.members)
	return ask("sdiff large "+partName(0)+"\r\n", fmt.Sprintf("VALUE large 0 %d\r\n", len(rest)), string(rest), "\r\nEND\r\n")
}

func valueName(n int) string { return fmt.Sprintf("value%d", n%distinct) }

// get asks for so many large values at once.
func (sc scene) get(n int) func() *fixed {
	return func() *fixed {
		value := bytes.Repeat([]byte{'v'}, sc.size)
		request := "get"
		var pieces [][]byte
		for i := range n {
			request += " " + valueName(i)
			pieces = append(pieces, fmt.Appendf(nil, "VALUE %s 0 %d\r\n", valueName(i), sc.size), value, []byte("\r\n"))
		}
		return &fixed{request: []byte(request + "\r\n"), reply: append(pieces, []byte("END\r\n"))}
	}
}

// fill stores through a memverbs what the rows ask for.
func (sc scene) fill(t load.Target) error {
	stored := []byte("STORED\r\n")
	value := bytes.Repeat([]byte{'v'}, sc.size)
	err := load.Fill(t, 1+distinct, func(i int, b *load.Batch) {
		if i == 0 {
			b.Send(fmt.Appendf(nil, "set %s 0 0 %d\r\n%s\r\n", bystanderKey, len(bystanderValue), bystanderValue))
		} else {
			b.Send(fmt.Appendf(nil, "set %s 0 0 %d\r\n%s\r\n", valueName(i), len(value), value))
		}
		b.ExpectLast(stored)
	})
	if err == nil {
		err = sc.fillSet(t, "large", 0, sc.members)
	}
	one := sc.members / parts
	for n := 0; n < parts && err == nil; n++ {
		err = sc.fillSet(t, partName(n), n*one, (n+1)*one)
	}
	return err
}

func (sc scene) fillSet(t load.Target, set string, from, until int) error {
	return load.Fill(t, (until-from+filling-1)/filling, func(i int, b *load.Batch) {
		at := from + i*filling
		b.Send(append(append([]byte("sadd "+set+" "), members(at, min(at+filling, until))...), "\r\n"...))
		b.ExpectLast([]byte("STORED\r\n"))
	})
}
