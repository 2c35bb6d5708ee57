// Package harness starts what the end-to-end tests talk to: real memcached
// processes of three versions, the memverbs program, twemproxy's, and clients that
// speak the text protocol byte for byte.
//
// Everything listens on a free port of the loopback interface and is gone when
// the test that asked for it is over; even a test run that is killed leaves no
// process behind. A test of what must hold over every kind of store reads
//
//	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
//		c := harness.Dial(t, s.Addr)
//		c.Ask("sadd k a b\r\n", "STORED\r\n")
//	})
//
// and one of what happens when a memcached goes away
//
//	s := harness.StartStore(t, "memcached-1.6.38")
//	s.Memcacheds[0].Kill(t)
//	…
//	s.Memcacheds[0].Restart(t)
//
// Nothing here sleeps for a while and hopes: what takes time is awaited with
// [Await], which gives up after [Patience].
package harness
