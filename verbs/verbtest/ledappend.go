package verbtest

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// What a proxy does with appends to a structure on which its calls decide: it may send them as the leader of these calls does,
// see [structure.LeadAppend].

// leads makes an append of c one that leads, if it can be and the schedule chooses that. Time may pass before it is carried out.
func (s *Schedule) leads(p *Player, c *Caller, op *verbs.Op) bool {
	env, ok := p.Pool.Env.(structure.Env)
	if !ok || s.Fewer || !op.Joins(op) || c.led.Leads() || s.Choose.Pick(2) == 0 {
		return false
	}
	if v := env.Views().Find(op.Key); v != nil && v.Standing == views.Found {
		v.Standing = views.Decided // which says when it is worth while, not when it may be done
	}
	if structure.Gathers(env, op.RoutingKey(), op.Key) {
		return true
	}
	c.plain = *op
	c.led = structure.LeadAppend(env, op, s.Choose.Pick(2) == 1)
	return c.led.Leads()
}

// crowd may have the call of p that begins wait for others, see [structure.Gathers].
func (s *Schedule) crowd(p *Player) {
	env, ok := p.Pool.Env.(structure.Env)
	if !ok || s.Fewer {
		return
	}
	if v := env.Views().Find([]byte(s.Key)); v != nil && s.Choose.Pick(4) == 1 {
		v.Joined = true // which says when it is worth while, not when it may be done
	}
}

// ledTo takes the reply to an append of c that leads. It reports whether that is the call's reply. Otherwise the append is to
// be carried out as usual.
func (s *Schedule) ledTo(p *Player, c *Caller, op *verbs.Op, r *verbs.Reply) bool {
	c.led.Took(p.Pool.Env.(structure.Env), op, *r)
	if r.Status == verbs.Stored || r.Status == verbs.Failed {
		r.Grown = len(op.Data)
		return true
	}
	*op = c.plain
	return false
}
