package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// FoldOf returns the fold of a loaded structure. If there is none, or one of another kind,
// it answers the client with the reason and returns nil.
func (l *loader) FoldOf(s *Loaded) format.Fold {
	switch {
	case s.Reply.Status == verbs.Missing:
		l.Say("NOT_FOUND")
	case s.Reply.Status != verbs.Hit:
		l.Fail(s.Reply)
	case l.Read(s) == nil:
		l.Fail(NotOfKind(l.Shown(s.Key), l.Kind))
	default:
		return s.Fold
	}
	return nil
}

// FoldOrEnd is FoldOf for a call that answers with values: if there is no structure, it answers with none.
func (l *loader) FoldOrEnd(s *Loaded) format.Fold {
	if s.Reply.Status == verbs.Missing {
		l.End()
		return nil
	}
	return l.FoldOf(s)
}

// answerFrom reads the structure under the key, answers from its fold, and compacts the structure if it is dirty.
func (e *Engine) answerFrom(answer func(*verbs.Call, format.Fold)) {
	s := e.LoadOne(e.Key, Counted)
	if fold := e.FoldOf(s); fold != nil {
		e.Item = s.Reply.Item()
		answer(e.Call, fold)
		e.AfterRead(e.Compaction(nil, s))
	}
}

// LastSeen returns the fold of the view that is kept of the call's structure, which may be outdated; nil if none is.
func (l *loader) LastSeen() format.Fold {
	if v := l.viewOf(l.Key); v != nil {
		return v.Fold
	}
	return nil
}
