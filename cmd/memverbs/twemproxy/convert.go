package twemproxy

import (
	"errors"
	"fmt"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/listen"
)

// config is a configuration of twemproxy that is being converted.
type config struct {
	pools    []*pool
	leftOut  []string // the names of pools that are not converted
	warnings []settings.Warning
}

// Convert converts the configuration of twemproxy with the given root, at path, to a
// file of memverbs. It refuses what nutcracker refuses, and leaves out pools of Redis.
// The warnings say what memverbs does differently. They are returned beside an error, too.
func Convert(path string, root yamlfile.Node) (text []byte, warnings []settings.Warning, err error) {
	var t config
	if err := setting.EachEntry(root, t.readPool); err != nil {
		return nil, t.warnings, err
	}
	if len(t.pools) == 0 {
		return nil, t.warnings, root.Errorf("no pool is left: all of them are for Redis, and memverbs serves memcached only")
	}
	if err := t.checkAddresses(); err != nil {
		return nil, t.warnings, err
	}
	return write(path, t.pools, t.leftOut), t.warnings, nil
}

// checkAddresses refuses pools that listen where another does.
func (t *config) checkAddresses() error {
	var errs []error
	var taken []listen.Address
	for _, p := range t.pools {
		if i := settings.Collision(p.address, taken); i >= 0 {
			errs = append(errs, p.listenAt.Errorf("%s can't be listened on twice: pool %s has %s; change one",
				smallfile.Name(p.address.String()), t.pools[i].name, smallfile.Name(taken[i].String())))
		}
		taken = append(taken, p.address)
	}
	return errors.Join(errs...)
}

// readPool reads a pool. One of Redis is left out, whatever else it says.
func (t *config) readPool(e yamlfile.Entry) error {
	if err := settings.CheckName(e.Key); err != nil {
		return e.At.Errorf("%v", err)
	}
	p := &pool{at: e.At, name: e.Key, distribution: "ketama", hash: "fnv1a_64"}
	err := p.read(e)
	if p.isRedis {
		t.leftOut = append(t.leftOut, p.name)
		t.warnings = append(t.warnings, settings.Warning{At: p.redisAt.At(), Text: fmt.Sprintf("redis: pool %s is left out: memverbs serves memcached only, not Redis; leave this pool to twemproxy", p.name)})
		return nil
	}
	t.pools = append(t.pools, p)
	t.warnings = append(t.warnings, p.warnings...)
	return err
}
