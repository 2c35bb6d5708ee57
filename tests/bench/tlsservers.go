//go:build linux

package main

// tlsNames are the names of the servers that withTLS starts, in this order: those to which clients speak TLS, and one
// more.
var tlsNames = []string{memverbs, stunnelMemverbs, stunnelMemcached, memcachedTLS, withoutTLS}

// withTLS starts the servers that clients speak TLS to, and a memverbs without TLS.
func (s *stage) withTLS() ([]*tlsServer, error) {
	stores, err := s.memcacheds(2, "tcp")
	if err != nil {
		return nil, err
	}
	secured, err := s.memverbs(stores, "tls")
	if err != nil {
		return nil, err
	}
	plain, err := s.memverbs(stores, "tcp")
	if err != nil {
		return nil, err
	}
	beforePlain, err := s.stunnelBefore(plain)
	if err != nil {
		return nil, err
	}
	beforeStore, err := s.stunnelBefore(stores[0])
	if err != nil {
		return nil, err
	}
	own, err := s.memcacheds(1, "tls")
	if err != nil {
		return nil, err
	}
	return []*tlsServer{
		{secured.Target, contestantOf(secured)},
		{beforePlain.Target, contestantOf(plain, beforePlain)},
		{beforeStore.Target, contestantOf(beforeStore)},
		{own[0].Target, contestantOf(own[0])},
		{plain.Target, contestantOf(plain)},
	}, nil
}

// towardsServers starts a memverbs that speaks TLS to memcacheds, and one with stunnel between it and memcacheds.
func (s *stage) towardsServers() ([]*tlsServer, error) {
	stores, err := s.memcacheds(2, "tls")
	if err != nil {
		return nil, err
	}
	secured, err := s.memverbs(stores, "tcp")
	if err != nil {
		return nil, err
	}
	fronts, err := s.stunnelTowards(stores)
	if err != nil {
		return nil, err
	}
	plain, err := s.memverbs(fronts, "tcp")
	if err != nil {
		return nil, err
	}
	plain.stores = stores
	return []*tlsServer{
		{secured.Target, contestantOf(secured)},
		{plain.Target, contestantOf(plain, fronts[0])},
	}, nil
}
