package settings

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// outages is the settings of what happens while a server of a pool is down, and after that.
type outages struct {
	onDown   onDown
	spareTTL time.Duration
	onReturn string
}

// onDown is what clients get for the keys of a server that is down.
type onDown struct {
	config.OnDown
	spare string // the pool that has them meanwhile
}

// spareIs begins the value of on-down that names a spare pool.
const spareIs = "spare:"

// The values of on-return.
const (
	keep    = "keep"
	discard = "delete"
	flush   = "flush"
)

func (o *outages) define(f *pflag.FlagSet) {
	setting.Define(f, &o.onDown, onDown{}, downs().AtOnce(), "on-down", "what clients get for the keys of a server that is down: refuse refuses\nall requests, miss answers gets as misses and refuses changes and verbs")
	setting.Define(f, &o.onReturn, discard, setting.OneOf(discard, flush, keep), "on-return", "what happens on a server that is back: delete deletes the keys that were\nchanged or deleted meanwhile, flush empties it if not all of them are known, keep does nothing")
}

// defineSpare defines the settings that make sense only if there are several pools.
func (o *outages) defineSpare(f *pflag.FlagSet) {
	f.Lookup("on-down").Usage += ",\nspare:<pool> has get, set, add and delete go to another pool and refuses the rest"
	setting.Define(f, &o.spareTTL, 10*time.Second, setting.WholeSeconds().AtOnce(), "spare-ttl", "how long an item may live in the pool of on-down: spare:<pool>")
}

// downs is the kind of on-down.
func downs() setting.Kind[onDown] {
	return setting.Kind[onDown]{Name: "string", Read: func(text string) (onDown, error) {
		spare, is := strings.CutPrefix(text, spareIs)
		switch {
		case text == "refuse":
			return onDown{}, nil
		case text == "miss":
			return onDown{OnDown: config.Miss}, nil
		case is && spare != "":
			return onDown{config.Spare, spare}, nil
		}
		return onDown{}, fmt.Errorf("%q is neither refuse nor miss, nor, in a file for --config, spare:<pool>", text)
	}, Show: func(d onDown) string {
		switch d.OnDown {
		case config.Miss:
			return "miss"
		case config.Spare:
			return spareIs + d.spare
		}
		return "refuse"
	}}
}

// add adds the settings to those of a pool.
func (o *outages) add(p *config.Pool) {
	p.OnDown, p.Spare, p.SpareTTL = o.onDown.OnDown, o.onDown.spare, o.spareTTL
	p.OnReturn = map[string]upstream.OnReturn{keep: upstream.Keep, discard: upstream.Delete, flush: upstream.Flush}[o.onReturn]
}
