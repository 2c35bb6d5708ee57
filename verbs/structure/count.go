package structure

import "bytes"

// CountTokens returns an upper bound of the tokens in log. It counts them only in a
// very long log, where that is worth the time.
func (c *Engine) CountTokens(log []byte) int {
	if len(log) <= 4*c.Pace.Freely() {
		return len(log)/len("+m ") + 1
	}
	return c.countExactly(log)
}

// countExactly returns the white space characters in log plus one, an upper bound of
// its tokens.
func (c *Engine) countExactly(log []byte) int {
	n := 1
	c.Pace.EachByte(len(log), func(from, to int) {
		for _, space := range whiteSpace {
			n += bytes.Count(log[from:to], space)
		}
	})
	return n
}

var whiteSpace = [...][]byte{{' '}, {'\t'}, {'\n'}, {'\v'}, {'\f'}, {'\r'}}
