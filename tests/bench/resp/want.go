package resp

import "fmt"

// Want is what a reply must be.
type Want struct {
	Kind     byte  // its first byte, one of + : $ *
	Min, Max int64 // bounds of the number after that byte: an integer, bytes of a bulk string, or replies in an array
	Strings  int   // how many bulk strings an array, with the arrays in it, has
}

// check compares a reply that has been scanned.
func (w *Want) check(s *Scanner) error {
	if s.kind != w.Kind || s.number < w.Min || s.number > w.Max || s.kind == '*' && s.strings != w.Strings {
		return fmt.Errorf("a reply %c%d of %d strings instead of %c, from %d to %d, of %d strings",
			s.kind, s.number, s.strings, w.Kind, w.Min, w.Max, w.Strings)
	}
	return nil
}
