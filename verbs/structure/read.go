package structure

import "github.com/memverbs/memverbs/verbs"

// FoldOf returns the fold of a loaded structure. If there is none, or one of another kind,
// it answers the client with the reason and returns nil.
func (c *Engine) FoldOf(s *Loaded) Fold {
	switch {
	case s.Reply.Status == verbs.Missing:
		c.Say("NOT_FOUND")
	case s.Reply.Status != verbs.Hit:
		c.Fail(s.Reply)
	case c.Read(s) == nil:
		c.Fail(NotOfKind(c.Shown(s.Key), c.Kind))
	default:
		return s.Fold
	}
	return nil
}

// TellOfOne reads the structure under the key, answers with the line that tell appends,
// and compacts the structure if it is dirty.
func (c *Engine) TellOfOne(tell func(Fold)) {
	s := c.LoadOne(c.Key, Counted)
	fold := c.FoldOf(s)
	if fold == nil {
		return
	}
	c.Item = s.Reply.Item()
	tell(fold)
	c.Answer = append(c.Answer, "\r\n"...)
	c.Done()
	c.AfterRead(c.Compaction(nil, s))
}
