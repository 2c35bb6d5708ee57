package main

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// room is a package: its files in the order of its documentation, and what they refer to in one another.
type room struct {
	path  string
	files []string // all of them, by name, without tests
	order []string // from the top down; nil if the documentation has no order
	links []link
}

// link is a reference of a file to what is declared in another file of its package: a type, a function, a
// method, a field, a variable or a constant. However often the file names it, it is one reference.
type link struct{ from, to, name string }

// load returns the rooms of the packages that patterns match, as go list has them, in dir.
func load(dir string, patterns ...string) (rooms []room, err error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedExportFile
	all, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Env: append(os.Environ(), "CGO_ENABLED=0")}, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		r, err := roomOf(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, err)
		}
		rooms = append(rooms, r)
	}
	slices.SortFunc(rooms, func(a, b room) int { return cmp.Compare(a.path, b.path) })
	return rooms, nil
}

func roomOf(p *packages.Package) (r room, err error) {
	r.path = p.PkgPath
	if r.files, err = filesIn(p.Dir); err != nil {
		return r, err
	}
	nameOf := func(at token.Pos) string { return filepath.Base(p.Fset.Position(at).Filename) }
	seen := make(map[link]bool)
	for _, f := range p.Syntax {
		name := nameOf(f.Package)
		if order := orderIn(f.Doc.Text()); order != nil {
			if r.order != nil {
				return r, fmt.Errorf("two files have an order: %s is the second", name)
			}
			r.order = order
		}
	}
	owners := fieldOwners(p.Types)
	note := func(at token.Pos, object types.Object) {
		if object.Pkg() != p.Types || local(object) {
			return
		}
		l := link{nameOf(at), nameOf(object.Pos()), object.Name()}
		if owner := owners[object]; owner != nil {
			l.name = owner.Name()
		}
		if l.from != l.to {
			seen[l] = true
		}
	}
	for used, object := range p.TypesInfo.Uses {
		note(used.Pos(), origin(object))
	}
	for at, selected := range p.TypesInfo.Selections {
		for _, embedded := range through(selected) {
			note(at.Pos(), embedded)
		}
	}
	r.links = slices.SortedFunc(maps.Keys(seen), func(a, b link) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.name, b.name))
	})
	return r, nil
}

// filesIn returns the files of a package, those for other systems included, without tests.
func filesIn(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// fieldOwners returns the types of a package by their fields.
func fieldOwners(of *types.Package) map[types.Object]types.Object {
	owners := make(map[types.Object]types.Object)
	for _, name := range of.Scope().Names() {
		t := of.Scope().Lookup(name)
		if structure, is := t.Type().Underlying().(*types.Struct); is {
			for field := range structure.Fields() {
				owners[field] = t
			}
		}
	}
	return owners
}

// origin returns the object that was declared, rather than an instance of a generic one.
func origin(object types.Object) types.Object {
	switch o := object.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return object
}

// local reports whether an object is declared in a function, or is no declaration of the package.
func local(object types.Object) bool {
	if object.Pos() == token.NoPos {
		return true
	}
	switch o := object.(type) {
	case *types.PkgName, *types.Label:
		return true
	case *types.Var:
		return !o.IsField() && o.Parent() != o.Pkg().Scope()
	case *types.Func:
		return o.Signature().Recv() == nil && o.Parent() != o.Pkg().Scope()
	}
	return object.Parent() != object.Pkg().Scope()
}

// through returns the embedded fields that a selection goes through.
func through(s *types.Selection) (fields []*types.Var) {
	of := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, is := of.Underlying().(*types.Pointer); is {
			of = p.Elem()
		}
		structure, is := of.Underlying().(*types.Struct)
		if !is {
			return fields // of an interface
		}
		fields = append(fields, structure.Field(i).Origin())
		of = structure.Field(i).Type()
	}
	return fields
}

// rising returns the references of files to files above them; where there is no order, those that lie in circles.
func (r *room) rising() (links []link) {
	for _, l := range r.links {
		if r.order == nil && r.leads(l.to, l.from) || r.order != nil && slices.Index(r.order, l.to) < slices.Index(r.order, l.from) {
			links = append(links, l)
		}
	}
	return links
}

// leads reports whether a file refers to another, itself or through others.
func (r *room) leads(from, to string) bool {
	seen := map[string]bool{from: true}
	for next := []string{from}; len(next) > 0; next = next[1:] {
		for _, l := range r.links {
			if l.from == next[0] && !seen[l.to] {
				seen[l.to] = true
				next = append(next, l.to)
			}
		}
	}
	return seen[to]
}

func (l link) String() string { return l.from + " refers to " + l.name + " in " + l.to }
