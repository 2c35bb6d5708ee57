package settings

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
)

// PoolChoice is the flags with which a subcommand takes a pool from a file with settings, instead
// of from flags that describe one.
type PoolChoice struct {
	config, name string

	chosen *Pool   // of the file
	others []*Pool // of it
}

// Define defines them.
func (c *PoolChoice) Define(f *pflag.FlagSet) {
	f.StringVar(&c.config, "config", "", "`file` with the pool, in place of the flags that describe one")
	f.StringVar(&c.name, "pool", "", "the `name` of the pool in that file; not needed if there is only one")
}

// Choose replaces asked, the pool that flags describe, by the pool of the file, if --config is given. Then it refuses
// flags that are settings of a pool, except own, the subcommand's. It also refuses a pool without servers. If these are to
// be found, it finds them.
func (c *PoolChoice) Choose(asked *Pool, flags *pflag.FlagSet, own ...string) error {
	p, err := c.pool(flags, own...)
	if p != nil {
		*asked = *p
	}
	if err == nil && asked.Servers == nil {
		err = errors.New("--upstream: a server is needed, or a file by --config")
	}
	if err != nil {
		return err
	}
	return setting.OutsideOr(asked.Find(context.Background()))
}

// pool returns the pool of the file, nil without --config.
func (c *PoolChoice) pool(flags *pflag.FlagSet, own ...string) (*Pool, error) {
	if !flags.Changed("config") {
		if flags.Changed("pool") {
			return nil, errors.New("--pool is the name of a pool in a file: add --config")
		}
		return nil, nil
	}
	if err := refuseBeside(flags, append(own, "pool")...); err != nil {
		return nil, err
	}
	if c.config == "" {
		return nil, errors.New("--config: the name of the file is empty")
	}
	s, _, err := ReadFile(c.config)
	if err != nil {
		return nil, err
	}
	if c.chosen, err = c.among(s); err != nil {
		return nil, err
	}
	c.others = slices.DeleteFunc(slices.Clone(s.Pools), func(p *Pool) bool { return p == c.chosen })
	return c.chosen, nil
}

// among returns the chosen one of the pools.
func (c *PoolChoice) among(s *All) (*Pool, error) {
	var names []string
	for _, p := range s.Pools {
		names = append(names, p.name)
	}
	switch {
	case c.name == "" && len(names) == 1:
		return s.Pools[0], nil
	case c.name == "":
		return nil, fmt.Errorf("--config: the file has several pools: choose one of %q by --pool", names)
	}
	if p := s.poolNamed(c.name); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("--pool: there is no pool %q in the file%s", c.name, setting.Suggest(c.name, names))
}
