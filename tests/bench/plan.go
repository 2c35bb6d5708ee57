//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// part is a part of the report: some cells and one table about all of them.
type part struct {
	name   string
	title  string
	text   string // what the table shows
	cells  []*cell
	table  func([]*cell) *table
	drawn  []column // the figures there are charts of
	detail bool     // whether there is a table for each cell besides
}

// allParts returns everything there is to run.
func allParts(o *options) (parts []*part, err error) {
	for _, make := range []func(*options) (*part, error){passThrough, memory, loops, upstreams, width} {
		p, err := make(o)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// plan returns the parts and cells that were asked for.
func (o *options) plan() ([]*part, error) {
	parts, err := allParts(o)
	if err != nil || o.cells == "all" {
		return parts, err
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
	parts, err := allParts(&options{threads: 1, changes: none})
	if err != nil {
		return err.Error()
	}
	for _, p := range parts {
		fmt.Fprintf(&b, "%s: %s\n", p.name, p.title)
		for _, c := range p.cells {
			fmt.Fprintf(&b, "  %-14s %s\n", c.name, c.what)
		}
	}
	return b.String()
}

// gather collects cells and what went wrong with them.
type gather struct {
	cells []*cell
	errs  []error
}

func (g *gather) add(c *cell, err error) *cell {
	g.cells, g.errs = append(g.cells, c), append(g.errs, err)
	return c
}

func (g *gather) err() error { return errors.Join(g.errs...) }
