package proxy

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// Clients that ask for statistics without a pause get all their answers, and others theirs.
func TestStatsInAPipeline(t *testing.T) {
	t.Parallel()
	s := startServer(t, 2, cannedUpstream(t, []byte("END\r\n")))
	const clients, each = 20, 30
	done := make(chan error, clients)
	for range clients {
		conn := dialServer(t, s)
		go func() {
			_, err := io.WriteString(conn, strings.Repeat("stats verbs\r\n", each))
			in := bufio.NewReader(conn)
			for n := 0; n < each && err == nil; {
				var line string
				if line, err = in.ReadString('\n'); line == "END\r\n" {
					n++
				}
			}
			done <- err
		}()
	}
	other := dialServer(t, s)
	for range 200 {
		exchange(t, other, "get k\r\n", "END\r\n")
	}
	for range clients {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Whoever waits for the same statistics is answered by one collection of them.
func TestDeskAnswersTogether(t *testing.T) {
	t.Parallel()
	var d desk
	opened := make(chan map[question][]func(string), 10)
	open := func(all map[question][]func(string)) { opened <- all }
	answer := func(string) {}
	d.ask(question{what: "first"}, answer, open)
	if all := <-opened; len(all) != 1 {
		t.Errorf("%d questions, expected the first", len(all))
	}
	for range 5 {
		d.ask(question{what: "a"}, answer, open)
		d.ask(question{what: "b"}, answer, open)
	}
	as, bs := 0, 0
	for as < 5 || bs < 5 {
		all := <-opened
		as, bs = as+len(all[question{what: "a"}]), bs+len(all[question{what: "b"}])
	}
	if as != 5 || bs != 5 || len(opened) > 0 {
		t.Errorf("%d and %d answers of 5 each, and %d more", as, bs, len(opened))
	}
}
