package proxy

import (
	"context"
	"fmt"
	"sync"
)

// checkUpstreams has all upstreams checked at the same time, and returns what is
// wrong with the first that can't be used.
func (s *Server) checkUpstreams() error {
	ctx, cancel := context.WithTimeout(s.context, s.config.ConnectTimeout)
	defer cancel()
	wrong := make([]error, len(s.config.Upstreams))
	var checks sync.WaitGroup
	for i, u := range s.config.Upstreams {
		if u.Check != nil {
			checks.Go(func() { wrong[i] = u.Check(ctx) })
		}
	}
	checks.Wait()
	for i, err := range wrong {
		if err != nil {
			return fmt.Errorf("upstream %s: %w", s.config.Upstreams[i].Name, err)
		}
	}
	return nil
}
