package sharding

import (
	"bytes"
	"fmt"
)

// hashTag is a layout that places each key by a part of it.
type hashTag struct {
	layout      Layout
	open, close byte
}

// NewHashTag returns a layout that places a key by the part between two marks, so that
// related keys can be kept on one server: with the tag "{}" both "user:{7}:name" and
// "user:{7}:mail" go where the given layout places "7".
//
// It does what twemproxy's setting hash_tag does (server_pool_idx in nc_server.c of
// nutcracker 0.5.0). The tag is two bytes, which may be equal; anything else is
// refused. The part begins after the first occurrence of the first byte and ends before
// the next occurrence of the second. A key that lacks one of them, or has nothing
// between them, is placed as a whole.
func NewHashTag(layout Layout, tag string) (Layout, error) {
	if len(tag) != 2 {
		return nil, fmt.Errorf("%q is no hash tag: expected two characters (of one byte each), such as {}", tag)
	}
	return &hashTag{layout, tag[0], tag[1]}, nil
}

// Locate implements [Layout].
func (t *hashTag) Locate(key []byte) int { return t.layout.Locate(t.part(key)) }

// part returns the part of a key that determines its place.
func (t *hashTag) part(key []byte) []byte {
	open := bytes.IndexByte(key, t.open)
	if open < 0 {
		return key
	}
	rest := key[open+1:]
	if length := bytes.IndexByte(rest, t.close); length > 0 {
		return rest[:length]
	}
	return key
}
