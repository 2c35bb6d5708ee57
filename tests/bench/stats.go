//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// stats returns the numbers in a server's answer to a request for statistics.
func (s *server) stats(request string) (map[string]int, error) {
	conn, err := s.Dial()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return nil, err
	}
	numbers := map[string]int{}
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		if lines.Text() == "END" {
			return numbers, nil
		}
		if words := strings.Fields(lines.Text()); len(words) == 3 && words[0] == "STAT" {
			if n, err := strconv.Atoi(words[2]); err == nil {
				numbers[words[1]] = n
			}
		}
	}
	return nil, fmt.Errorf("%s: %q has no end: %v", s.Name, request, lines.Err())
}

// operations returns how many operations memcacheds have carried out so far.
func operations(stores []*server) (sum int, err error) {
	for _, store := range stores {
		numbers, err := store.stats("stats")
		if err != nil {
			return 0, err
		}
		for _, name := range []string{"cmd_get", "cmd_set", "cmd_touch", "delete_hits", "delete_misses"} {
			sum += numbers[name]
		}
	}
	return sum, nil
}
