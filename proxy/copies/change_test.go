package copies

import "testing"

// What is for the first copy alone is not answered by another one.
func TestAloneIsAnsweredByTheFirst(t *testing.T) {
	t.Parallel()
	for r, step := range map[Result]Step{Replied: Answers, Lost: Fails, Unclear: Fails} {
		c := NewChange(Alone, 3, allOf(3))
		if got := c.Next(); got != Waits {
			t.Errorf("it begins with %v", got)
		}
		if got := c.Told(2, Replied); got != Waits {
			t.Errorf("one of two deletions is done: %v", got)
		}
		if got := c.Told(1, Lost); got != Leads {
			t.Errorf("the deletions are done: %v", got)
		}
		if got := c.LeadTold(r); got != step {
			t.Errorf("after %v of the first copy: %v", r, got)
		}
	}
}
