package front

import (
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// What follows the loss of a request depends on its command and on the pool's setting.
func TestLossOf(t *testing.T) {
	t.Parallel()
	of := func(down config.OnDown, spare *route.Pool) *route.Pool {
		return &route.Pool{Shared: &config.SharedPool{Pool: config.Pool{OnDown: down}}, Spare: spare}
	}
	pools := []*route.Pool{of(config.Refuse, nil), of(config.Miss, nil), of(config.Spare, of(config.Refuse, nil))}
	for _, test := range []struct {
		request protocol.Request
		losses  [3]upstream.Loss // with each of pools
	}{
		{protocol.Request{Command: protocol.Get}, [3]upstream.Loss{upstream.LossRefuses, upstream.LossMisses, upstream.LossSpares}},
		{protocol.Request{Command: protocol.Gets}, [3]upstream.Loss{upstream.LossRefuses, upstream.LossMisses, upstream.LossRefuses}},
		{protocol.Request{Command: protocol.MetaGet}, [3]upstream.Loss{upstream.LossRefuses, upstream.LossMisses, upstream.LossRefuses}},
		{protocol.Request{Command: protocol.Set}, [3]upstream.Loss{upstream.LossOutdates, upstream.LossOutdates, upstream.LossOutdates}},
		{protocol.Request{Command: protocol.Delete}, [3]upstream.Loss{upstream.LossOutdates, upstream.LossOutdates, upstream.LossOutdates}},
		{protocol.Request{Command: protocol.MetaSet, Mode: 'A'}, [3]upstream.Loss{upstream.LossRefuses, upstream.LossRefuses, upstream.LossRefuses}},
		{protocol.Request{Command: protocol.Incr}, [3]upstream.Loss{upstream.LossRefuses, upstream.LossRefuses, upstream.LossRefuses}},
		{protocol.Request{Command: protocol.Touch}, [3]upstream.Loss{upstream.LossRefuses, upstream.LossRefuses, upstream.LossRefuses}},
	} {
		for i, p := range pools {
			if loss := lossOf(&test.request, route.Target{Pool: p}); loss != test.losses[i] {
				t.Errorf("%s, pool %d: %d, expected %d", test.request.Name(), i, loss, test.losses[i])
			}
		}
	}
	get := &protocol.Request{Command: protocol.Get}
	if loss := lossOf(get, route.Target{Pool: pools[2], Absent: &pool.Member{}}); loss != upstream.LossRefuses {
		t.Errorf("a get that goes to the spare pool: %d", loss)
	}
}
