package differential

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// tally counts what was sent, and what came of it.
type tally struct {
	mu       sync.Mutex
	total    int
	sent     map[string]int            // by command
	outcomes map[string]map[string]int // of those whose answer can be told from others, by command
}

func newTally() *tally {
	return &tally{sent: map[string]int{}, outcomes: map[string]map[string]int{}}
}

// count notes some commands and what they were answered, together.
func (t *tally) count(group []command, answer []unit) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total += len(group)
	for _, c := range group {
		t.sent[c.name]++
	}
	if len(group) > 1 {
		return
	}
	name := group[0].name
	if t.outcomes[name] == nil {
		t.outcomes[name] = map[string]int{}
	}
	t.outcomes[name][outcome(answer)]++
}

// outcome names what was answered: the first word, or the whole of an error.
func outcome(answer []unit) string {
	if len(answer) == 0 {
		return "silence"
	}
	if answer[0].packet {
		return fmt.Sprintf("0x%02x", answer[0].status())
	}
	line := strings.TrimSuffix(answer[0].line, "\r\n")
	word, _, _ := strings.Cut(line, " ")
	switch {
	case strings.HasSuffix(word, "_ERROR"):
		return line
	case word != "" && word[0] >= '0' && word[0] <= '9':
		return "number"
	}
	return word
}

// of returns how often a command had an outcome that begins so.
func (t *tally) of(name, start string) (n int) {
	for what, times := range t.outcomes[name] {
		if strings.HasPrefix(what, start) {
			n += times
		}
	}
	return n
}

// String returns a table, a line for each command.
func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d commands\n", t.total)
	for _, name := range slices.Sorted(maps.Keys(t.sent)) {
		fmt.Fprintf(&b, "%7d %-10s", t.sent[name], name)
		outcomes := t.outcomes[name]
		whats := slices.SortedFunc(maps.Keys(outcomes), func(a, b string) int { return outcomes[b] - outcomes[a] })
		for _, what := range whats {
			fmt.Fprintf(&b, "  %s %d", what, outcomes[what])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
