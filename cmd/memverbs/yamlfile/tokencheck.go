package yamlfile

import (
	"slices"

	"github.com/goccy/go-yaml/token"
)

// The limits of a file.
const (
	maxTokens = 40000 // words and marks; parsing takes time in proportion to the square of the keys of a mapping
	maxDepth  = 20
)

// refused are the tokens that are not accepted.
var refused = map[token.Type]string{
	token.AnchorType:     "anchors (&) are not accepted: write the value where it is needed; a text that begins with & needs quotes",
	token.AliasType:      "aliases (*) are not accepted: write the value where it is needed; a text that begins with * needs quotes",
	token.TagType:        "tags (!) are not accepted: leave it out; a text that begins with ! needs quotes",
	token.MergeKeyType:   "merging (<<) is not accepted: write the values where they are needed",
	token.MappingKeyType: "keys that begin with ? are not accepted: write the key, a colon and the value",
	token.DirectiveType:  "directives (%) are not accepted: leave it out",
}

// check refuses tokens that are not accepted, and too many of them.
func check(file string, tokens token.Tokens) error {
	depth, entries, line := 0, 0, 0
	for i, t := range tokens {
		at := positionOf(file, t)
		if why := refused[t.Type]; why != "" {
			return errorAt(at, "%s", why)
		}
		if at.line != line {
			entries, line = 0, at.line // lists that begin on one line are nested
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType:
			entries++
		case token.DocumentHeaderType:
			if slices.ContainsFunc(tokens[:i], func(before *token.Token) bool { return before.Type != token.CommentType }) {
				return errorAt(at, "a second document begins: only one is accepted in a file")
			}
		}
		if depth+entries > maxDepth {
			return errorAt(at, "nested too deeply: at most %d levels are accepted", maxDepth)
		}
		if i >= maxTokens {
			return errorAt(at, "the file is too large: it has more than %d words and marks", maxTokens)
		}
	}
	return nil
}
