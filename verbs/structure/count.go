package structure

import "bytes"

// A token may have many parts, such as the increments of a member of a ranking. To fold it
// takes memory for each, so parts count as tokens. Semicolons separate them. Where these are
// only a part of a member, more tokens are counted than there are.

// CountTokens returns an upper bound of the tokens in log. It counts them only in a
// very long log, where that is worth the time.
func (e *Engine) CountTokens(log []byte) int {
	if len(log) <= 4*e.Pace.Freely() {
		return len(log)/len("+m ") + 1
	}
	return e.countExactly(log)
}

// countExactly returns the separators in log plus one, an upper bound of its tokens.
func (e *Engine) countExactly(log []byte) int {
	n := 1
	e.Pace.EachByte(len(log), func(from, to int) {
		for _, separator := range separators {
			n += bytes.Count(log[from:to], separator)
		}
	})
	return n
}

var separators = [...][]byte{{' '}, {'\t'}, {'\n'}, {'\v'}, {'\f'}, {'\r'}, {';'}}
