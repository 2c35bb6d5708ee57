//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
)

// part is a part of the report: some cells and one table about all of them.
type part struct {
	name   string // several may have the same, and are run together
	title  string
	text   string // what the table shows
	apart  bool   // whether it runs only if it is named, as a run of all others takes long enough
	cells  []*cell
	table  func([]*cell) *table
	drawn  []column // the figures that have charts
	unit   string   // the contestant by whose figures those in charts are divided; if empty, the first rival
	detail bool     // whether each cell has a table, too
}

// allParts returns everything there is to run.
func allParts(o *options) (parts []*part) {
	for _, part := range []func(*options) *part{passThrough, memory, bystanders, loops, upstreams, width, besideOld, verbsBesideOld, verbs, structures, rankings, besideRanked, tasks, takes, waits, answersNear, inNamespaces, mayBeHeld, limiting, tlsLoads, tlsIdle} {
		parts = append(parts, part(o))
	}
	return parts
}

// plan returns the parts and cells that were asked for. It refuses unknown names, and
// cells that can't be run with the changes of the flags.
func (o *options) plan() ([]*part, error) {
	parts, err := o.chosen()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		for _, c := range p.cells {
			if c.wrong != nil {
				return nil, fmt.Errorf("%s: %w", c.name, c.wrong)
			}
		}
	}
	return parts, nil
}

// chosen returns the parts and cells that were asked for.
func (o *options) chosen() ([]*part, error) {
	parts := allParts(o)
	if o.cells == "all" {
		return slices.DeleteFunc(parts, func(p *part) bool { return p.apart }), nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(o.cells, ",") {
		wanted[name] = false
	}
	for _, p := range parts {
		p.choose(wanted)
	}
	for name, found := range wanted {
		if !found {
			return nil, fmt.Errorf("-cell: there is no %q", name)
		}
	}
	return slices.DeleteFunc(parts, func(p *part) bool { return len(p.cells) == 0 }), nil
}

// choose keeps the cells that are wanted, by their name or the part's, and those
// that they depend on. It marks the names that it has found.
func (p *part) choose(wanted map[string]bool) {
	keep := map[*cell]bool{}
	for _, c := range p.cells {
		for _, name := range []string{p.name, c.name} {
			if _, ok := wanted[name]; ok {
				wanted[name] = true
				keep[c], keep[c.after] = true, true
			}
		}
	}
	p.cells = slices.DeleteFunc(p.cells, func(c *cell) bool { return !keep[c] })
}

// detailed returns the cells that have a table of their own.
func (p *part) detailed() []*cell {
	if !p.detail {
		return nil
	}
	return p.cells
}

// describeParts lists the names for -help.
func describeParts() string {
	var b strings.Builder
	for _, p := range allParts(&options{threads: 1, changes: none}) {
		fmt.Fprintf(&b, "%s: %s", p.name, p.title)
		if p.apart {
			b.WriteString(" (not in all)")
		}
		b.WriteByte('\n')
		for _, c := range p.cells {
			fmt.Fprintf(&b, "  %-17s %s\n", c.name, c.what)
		}
	}
	return b.String()
}
