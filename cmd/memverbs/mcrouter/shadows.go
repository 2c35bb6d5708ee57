package mcrouter

import (
	"strconv"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/shadow"
)

// shadowRoute is ShadowRoute: its child, which is shadowed.
func (c *config) shadowRoute(h handle) (way, error) {
	for _, property := range []string{"target", "child"} {
		if n, ok := h.properties[property]; ok {
			w, err := c.leadsTo(n)
			if err != nil {
				return w, err
			}
			return w, c.shadowed(h, &w)
		}
	}
	return way{}, h.at.Errorf("%s lacks \"child\"", h.kind)
}

// shadowed gives w the first of the shadows of the route handle.
func (c *config) shadowed(h handle, w *way) error {
	n, ok := h.properties["shadows"]
	if !ok {
		return nil
	}
	list, err := n.List()
	if err != nil || len(list) == 0 {
		return err
	}
	for _, other := range list[1:] {
		c.differs(other, "%s: memverbs has one shadow for a route; this one is left out", h.kind)
	}
	s, err := c.readShadow(list[0])
	switch {
	case err != nil:
		return err
	case s.to == w.to:
		return list[0].Errorf("%s: pool %s can't be its own shadow", h.kind, w.to.name)
	case s.share == 0:
		c.differs(list[0], "%s: a shadow of no keys is left out", h.kind)
		return nil
	case len(w.copies) > 0 || w.shadow != nil || !s.isPlain():
		c.differs(list[0], "%s: memverbs has a shadow, which is a pool, for a route to one pool; this one is left out", h.kind)
		return nil
	}
	fraction := s.fractionOf(w.to)
	w.shadow, w.share = s.to, shadow.Share(float64(shadow.All)*fraction+0.5)
	if w.share = max(w.share, 1); fraction < s.share {
		c.differs(list[0], "%s: memverbs shadows keys of all servers of pool %s, so the share is lowered to what the servers of the index_range have: %v", h.kind, w.to.name, w.share)
	}
	c.differs(list[0], "%s: pool %s gets requests on %v of the keys, chosen by another hash than mcrouter's, but no flush_all; what it can't take at once is not sent", h.kind, s.to.name, w.share)
	w.others = append(w.others, s.uses(list[0]))
	return nil
}

// shadowing is a shadow of mcrouter.
type shadowing struct {
	way
	share   float64 // of the keys of the servers with indexes from first on, and below end
	indexed bool    // there is such a range
	first   float64
	end     float64
}

// readShadow reads an element of shadows.
func (c *config) readShadow(n yamlfile.Node) (s shadowing, err error) {
	s.share = 1
	targeted := false
	err = setting.EachEntry(n, func(e yamlfile.Entry) (err error) {
		switch e.Key {
		case "target":
			targeted = true
			s.way, err = c.leadsTo(e.Value)
		case "key_fraction_range":
			var from, to float64
			from, to, err = rangeOf(e, 1)
			s.share = to - from
		case "index_range":
			s.indexed = true
			s.first, s.end, err = rangeOf(e, 1<<20)
		default:
			c.differs(e.At, "%s of a shadow is left out", e.Key)
		}
		return err
	})
	if err == nil && !targeted {
		err = n.Errorf("this shadow has no target: add \"target\"")
	}
	return s, err
}

// fractionOf returns which part of the keys of p is shadowed. Since mcrouter's documents differ in whether the end of an
// index_range is in it, a range to the last index is one of all servers.
func (s *shadowing) fractionOf(p *pool) float64 {
	n := float64(len(p.servers))
	if !s.indexed || s.first == 0 && s.end >= n-1 {
		return s.share
	}
	return s.share * min(1, max(0, s.end-s.first)/n)
}

// rangeOf reads a range of numbers from 0 to most.
func rangeOf(e yamlfile.Entry, most float64) (from, to float64, err error) {
	list, err := e.Value.List()
	if err != nil {
		return 0, 0, err
	}
	var numbers []float64
	for _, n := range list {
		text, err := n.Text()
		if err != nil {
			return 0, 0, err
		}
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || !(number >= 0 && number <= most) {
			return 0, 0, n.Errorf("%s: %q is not a number from 0 to %v", e.Key, text, most)
		}
		numbers = append(numbers, number)
	}
	if len(numbers) != 2 || numbers[0] > numbers[1] {
		return 0, 0, e.Value.Errorf("%s: two numbers are expected here, the lower one first", e.Key)
	}
	return numbers[0], numbers[1], nil
}
