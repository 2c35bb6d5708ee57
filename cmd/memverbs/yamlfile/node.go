package yamlfile

import (
	"errors"
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// Node is a part of a file: a mapping, a list or a text.
type Node struct {
	file string
	node ast.Node
}

// Entry is a key of a mapping and its value.
type Entry struct {
	Key   string
	At    Node // the key, for its position
	Value Node
}

// At returns the position of the node: file:line:column.
func (n Node) At() string { return n.position().String() }

// Errorf returns an [Error] at the position of the node.
func (n Node) Errorf(format string, args ...any) error {
	return errorAt(n.position(), format, args...)
}

func (n Node) position() position {
	switch node := n.node.(type) {
	case *ast.MappingNode:
		if !node.IsFlowStyle && len(node.Values) > 0 {
			return positionOf(n.file, node.Values[0].Key.GetToken())
		}
	case *ast.MappingValueNode:
		return positionOf(n.file, node.Key.GetToken())
	}
	return positionOf(n.file, n.node.GetToken())
}

// Text returns a text as it is written, or what is in its quotes. It refuses a node that is a
// mapping, a list or nothing, and text of several lines.
func (n Node) Text() (string, error) {
	switch node := n.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "", n.Errorf("a single value is expected here, not a mapping; a text with { or : in it needs quotes")
	case *ast.SequenceNode:
		return "", n.Errorf("a single value is expected here, not a list; a text that begins with [ or - needs quotes")
	case *ast.LiteralNode:
		return "", n.Errorf("a value on one line is expected here")
	case *ast.NullNode:
		return "", n.Errorf("a value is missing here")
	case ast.ScalarNode:
		return node.GetToken().Value, nil
	}
	return "", n.Errorf("a single value is expected here")
}

// IsText reports whether the node is a single text, rather than a mapping or a list.
func (n Node) IsText() bool {
	_, is := n.node.(ast.ScalarNode)
	return is
}

// IsMapping reports whether the node is a mapping, which may be empty.
func (n Node) IsMapping() bool {
	switch n.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// Has reports whether the node is a mapping with a key.
func (n Node) Has(key string) bool {
	entries, _ := n.Entries()
	return slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == key })
}

// List returns the elements of a list. It refuses a node that is no list, and an empty list.
func (n Node) List() ([]Node, error) {
	list, ok := n.node.(*ast.SequenceNode)
	if !ok {
		return nil, n.Errorf("a list is expected here: [a, b], or lines that begin with -")
	}
	if len(list.Values) == 0 {
		return nil, n.Errorf("the list is empty: list something, or leave it out")
	}
	var nodes []Node
	for _, value := range list.Values {
		nodes = append(nodes, Node{n.file, value})
	}
	return nodes, nil
}

// Entries returns the entries of a mapping, in their order. It refuses a node that is no
// mapping, an empty mapping, and keys that occur twice; then it returns the other entries
// beside the error.
func (n Node) Entries() ([]Entry, error) {
	var values []*ast.MappingValueNode
	switch node := n.node.(type) {
	case *ast.MappingNode:
		values = node.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{node}
	}
	if len(values) == 0 {
		return nil, n.Errorf("a mapping is expected here: lines of a key, a colon and a value")
	}
	seen := make(map[string]Node, len(values))
	var entries []Entry
	var errs []error
	for _, v := range values {
		e := Entry{Key: v.Key.GetToken().Value, At: Node{n.file, v.Key}, Value: Node{n.file, v.Value}}
		if first, ok := seen[e.Key]; ok {
			errs = append(errs, e.At.Errorf("the key %q is there twice: it is already on line %d; remove one", e.Key, first.position().line))
			continue
		}
		seen[e.Key] = e.At
		entries = append(entries, e)
	}
	return entries, errors.Join(errs...)
}
