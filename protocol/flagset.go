package protocol

// flagSet is a set of flags, by the characters that flags begin with.
type flagSet [2]uint64

func (s *flagSet) add(letter byte) { s[letter>>6&1] |= 1 << (letter & 63) }

func (s *flagSet) has(letter byte) bool { return s[letter>>6&1]&(1<<(letter&63)) != 0 }

// hasFlag reports whether a word of flags begins with letter.
func hasFlag(flags []byte, letter byte) bool {
	for i, b := range flags {
		if b == letter && (i == 0 || flags[i-1] == ' ') {
			return true
		}
	}
	return false
}
