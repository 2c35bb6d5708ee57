package structure

import "github.com/memverbs/memverbs/verbs"

// Kind is a kind of structure that is kept as a log of tokens.
type Kind struct {
	// Letter is what tokens of the kind begin with, before their sign, and what its
	// pointers end in; 0 for the one kind whose tokens begin with the sign. A
	// structure that names no letter is of that.
	Letter byte
	// Name is what people call one such structure.
	Name string
	// New returns an empty fold.
	New func() Fold
	// Room returns how much memory it takes at most to fold so many tokens, in bytes.
	Room func(tokens int) int
}

// Fold is what a log of tokens comes to when all of them have been read in their order.
// It points into the log and keeps no copy of it. One Fold can read one log after
// another. What takes long is done at the pace given, all at once if that is nil; calls
// may use a Fold in turn, as long as none changes it. It has to keep three laws:
//
//  1. What AppendLog writes, read alone, means the same as what was read.
//  2. Whatever log stands before it, what AppendNet writes makes the same of that as
//     what was read.
//  3. To Read a log and to Extend it means the same as to Read the whole.
//
// Tokens of other kinds, see [Foreign], mean nothing, and are not written.
type Fold interface {
	// Expect makes room for a log of so many tokens, which is read next.
	Expect(p *verbs.Pace, tokens int)
	// Read folds log, of less than 4 GB, at a time in milliseconds since 1970. It returns
	// false if there is something in it that is no token of any kind; then the fold is
	// empty.
	Read(p *verbs.Pace, log []byte, now int64) bool
	// Extend folds what log is longer than what was read. As far as that goes, it is the
	// same, if not in the same memory, and ends in white space unless it is empty. It
	// returns false if the log has to be read as a whole; then the fold is empty.
	Extend(log []byte, now int64) bool
	// Live returns how many members there are, or what else a structure has.
	Live() int
	// Dead returns how many tokens the log could do without.
	Dead() int
	// AppendLog appends to dst the shortest log of the same structure.
	AppendLog(p *verbs.Pace, dst []byte) []byte
	// AppendNet appends to dst a short log that does to any structure what the log does
	// that was read.
	AppendNet(p *verbs.Pace, dst []byte) []byte
	// Trim makes the fold empty, and lets go of memory for the next one if that is more
	// than keep bytes.
	Trim(keep int)
	// Kept returns how much memory the fold has, in bytes, the log not included.
	Kept() int
}

// kinds are all kinds.
var kinds []*Kind

// Register makes kinds known to whoever folds a structure away that others have made. It
// is called before there are any calls.
func Register(some ...*Kind) { kinds = append(kinds, some...) }

// kindOf returns the kind with a letter, nil if there is none.
func kindOf(letter byte) *Kind {
	for _, k := range kinds {
		if k.Letter == letter {
			return k
		}
	}
	return nil
}

// letterOf returns the letter of the kind whose token begins text: 0 if that begins with
// its sign, if it is no token at all, or if text is empty. A letter alone stands for a
// structure of its kind that is empty.
func letterOf(text []byte) byte {
	if len(text) > 0 && text[0] >= 'a' && text[0] <= 'z' && (len(text) == 1 || Space(text[1]) || isSign(text[1])) {
		return text[0]
	}
	return 0
}

// Foreign reports whether token, without white space, is one of another kind than that
// with the letter given.
func Foreign(token []byte, letter byte) bool {
	if len(token) < 2 {
		return false
	}
	if isSign(token[1]) && letterOf(token) != 0 {
		return token[0] != letter
	}
	return letter != 0 && (token[0] == '+' || token[0] == '-')
}

// isSign reports whether c may follow the letter of a token.
func isSign(c byte) bool {
	switch c {
	case '+', '-', '=', '~', '<', '>', '(', ')', ':':
		return true
	}
	return false
}

// logOf returns the shortest log of a structure of a kind. One that is empty is still of
// its kind.
func (k *Kind) logOf(p *verbs.Pace, f Fold) []byte {
	log := f.AppendLog(p, nil)
	if len(log) == 0 && k.Letter != 0 {
		log = []byte{k.Letter, ' '}
	}
	return log
}
