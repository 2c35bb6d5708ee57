package mcrouter

import "bytes"

// Plain returns text with spaces in place of what mcrouter accepts in JSON besides JSON: comments, as in C++, commas before
// a closing bracket, and tabs, which YAML does not accept. So what is left has its place. The result is YAML if text
// is such JSON.
func Plain(text []byte) []byte {
	plain := bytes.Clone(text)
	comma := -1 // the place of a comma after which there was nothing yet
	for i := 0; i < len(plain); i++ {
		switch c := plain[i]; {
		case c == '"':
			i, comma = stringEnd(plain, i), -1
		case c == '/' && bytes.HasPrefix(plain[i:], []byte("//")):
			i = blank(plain, i, end(plain, i, "\n"))
		case c == '/' && bytes.HasPrefix(plain[i:], []byte("/*")):
			i = blank(plain, i, end(plain, i+len("/*"), "*/")+len("*/"))
		case c == '\t':
			plain[i] = ' '
		case c == ',':
			comma = i
		case (c == ']' || c == '}') && comma >= 0:
			plain[comma], comma = ' ', -1
		case c != ' ' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return plain
}

// IsJSON reports whether text is JSON, or begins with a comment of mcrouter's.
func IsJSON(text []byte) bool {
	text = bytes.TrimSpace(text)
	return bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("//")) || bytes.HasPrefix(text, []byte("/*"))
}

// stringEnd returns where the string that begins at i ends: the place of its closing quote, or the last one of text.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i, len(text)-1)
}

// end returns where mark is, from i on, or the end of text.
func end(text []byte, i int, mark string) int {
	if n := bytes.Index(text[i:], []byte(mark)); n >= 0 {
		return i + n
	}
	return len(text)
}

// blank replaces text from one place to another by spaces, but for its line ends, and returns the last of these places.
func blank(text []byte, from, to int) int {
	to = min(to, len(text))
	for i := from; i < to; i++ {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
	return to - 1
}
