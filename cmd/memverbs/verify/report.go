package verify

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// fewMissing is the least share of keys that the right layout finds, of those that are not found by
// chance. The others are elsewhere because the pool was changed once, or a server failed.
const fewMissing = 0.9

// report is the text about a Result.
type report struct {
	strings.Builder
	*Result
	best total
	said string // what the best layout is called in a sentence
}

// Report returns the outcome for an operator to read, in some lines. If guess is set, it ranks the
// layouts; if not, there must be only one. Keys are quoted.
func (r *Result) Report(guess bool) string {
	p := report{Result: r, best: r.ranked[0], said: "this layout"}
	if guess {
		p.said = p.best.name
	}
	if guess && r.keys > 0 {
		p.ranks()
	}
	p.perServer()
	if r.keys > 0 {
		p.verdict()
		p.ties()
		p.missing(guess)
	}
	return p.String()
}

func (p *report) printf(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

// ranks writes a line for each layout.
func (p *report) ranks() {
	p.printf("%12s          layout\n", "keys found")
	for _, t := range p.ranked {
		p.printf("%12s %7s  %s\n", thousands(t.found), percent(t.found, p.keys), t.name)
	}
	p.printf("\n")
}

// perServer writes a line for each server.
func (p *report) perServer() {
	p.printf("%12s %12s  server\n", "keys", "found")
	for i, s := range p.servers {
		t := p.tallies[i]
		p.printf("%12s %12s  %s", thousands(t.keys), thousands(p.best.onServer[i]), s.Name)
		switch {
		case t.cutShort():
			p.WriteString(" (its time was over)")
		case t.err != nil:
			p.printf(": %v", t.err)
		}
		p.printf("\n")
	}
	p.printf("\n")
}

// verdict writes how many keys fit.
func (p *report) verdict() {
	p.printf("%s of %s keys are where %s looks for them.\n", thousands(p.best.found), thousands(p.keys), p.said)
	if p.best.owned > 0 {
		p.printf("%s of them seem to be items of structures, and are where the structure's key belongs.\n", thousands(p.best.owned))
	}
	if len(p.servers) == 1 {
		p.WriteString("With one server, that is so with every layout.\n")
		return
	}
	p.printf("By chance, a layout that has nothing to do with this pool finds about %s.\n", thousands(int(math.Round(p.chance))))
	p.others()
}

// others writes how many of the keys that are elsewhere are where other pools look for them.
func (p *report) others() {
	for i, n := range p.best.foreign {
		if n > 0 {
			p.printf("%s of the others are where pool %s, which has servers in common with this one, looks for its keys.\n", thousands(n), p.Result.others[i].Name)
		}
	}
}

// ties writes which layouts fit as well as the best.
func (p *report) ties() {
	var names []string
	for _, t := range p.ranked {
		if p.fits(&t) {
			names = append(names, t.name)
		}
	}
	if len(names) > 1 && len(p.servers) > 1 {
		p.printf("%d layouts place these keys alike, and each of them fits: %s.\n", len(names), strings.Join(names, ", "))
	}
}

// missing writes some keys that are elsewhere, and what that may mean.
func (p *report) missing(guess bool) {
	if p.Fits() {
		return
	}
	missing := p.best.unexplained(p.keys)
	if missing == 0 {
		p.WriteString("\nEach key may be of another pool, so they tell nothing of this layout.\n")
		return
	}
	p.printf("\n%s elsewhere, such as\n", are(missing))
	p.examples()
	if float64(p.best.found)-p.chance >= fewMissing*(float64(p.keys-p.best.explained())-p.chance) {
		p.WriteString("\nProbably the layout is right. Keys stay elsewhere when servers are added or removed, and if a\n" +
			"client stores them on another server while theirs is down; nobody finds them there.\n")
		return
	}
	p.WriteString("\nEither the layout is another one, or the servers are not given as the clients have them: their\n" +
		"order, weights and names, and whether it is host names or addresses. Or some clients\n" +
		"hash only a part of the key (--unhashed-prefix, --hash-tag), or differ in their layouts.\n" +
		"Or other pools have keys on these servers: a file with all of them (--config) tells which.\n")
	if !guess {
		p.WriteString("--guess tries all layouts.\n")
	}
}

// examples writes some keys that are elsewhere, of all servers in turn.
func (p *report) examples() {
	shown := 0
	for n := range missesKept {
		for i, t := range p.tallies {
			misses := t.fits[p.best.layout].misses
			if n >= len(misses) || shown == missesKept {
				continue
			}
			m := misses[n]
			p.printf("  %s: it is on %s, and looked for on %s%s\n", strconv.Quote(m.key), p.servers[i].Name, p.servers[m.belongs].Name, ago(m.used))
			shown++
		}
	}
}

// thousands returns a number with spaces.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// percent is rounded down, so that only all is 100 %.
func percent(n, of int) string {
	tenths := 1000 * n / of
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

func are(n int) string {
	if n == 1 {
		return "1 is"
	}
	return thousands(n) + " are"
}

// ago says when a key was last used, as far as that is known.
func ago(used int64) string {
	passed := time.Since(time.Unix(used, 0)).Round(time.Second)
	if used == 0 || passed < 0 {
		return ""
	}
	return fmt.Sprintf(" (last used %v ago)", passed)
}
