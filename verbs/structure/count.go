package structure

import "bytes"

// CountTokens returns how many tokens there are in log at most. Unless it is very
// long, to count them is not worth while.
func (c *Engine) CountTokens(log []byte) int {
	if len(log) <= 4*c.Pace.Freely() {
		return len(log)/len("+m ") + 1
	}
	return c.countExactly(log)
}

// countExactly counts the tokens in log, if there is one space between.
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
