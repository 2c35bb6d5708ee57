package main

import (
	"errors"
	"fmt"

	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/smallfile"
)

// check refuses flags that do not fit together, and builds what they describe. addresses are those
// to listen at, that of the admin server included. An empty --upstream does not lead to the
// embedded store, since it may come from an unset variable.
func (o *options) check(addresses []listen.Address) error {
	var wrong []error
	refuse := func(prefix string, err error) {
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s%w", prefix, err))
		}
	}
	refuse("--", o.tls.build())
	if o.tls.built != nil && !hasTCP(o.addresses) {
		refuse("--tls-cert: ", errors.New(onlyUnix))
	}
	if twice, before, found := collision(addresses); found {
		refuse("", fmt.Errorf("%s can't be listened on twice: --listen or --admin has %s too; remove one", smallfile.Name(twice.String()), smallfile.Name(before.String())))
	}
	if o.onDown.spare != "" {
		refuse("--on-down: ", fmt.Errorf("%s%s names another pool, which takes a file: see --config", spareIs, o.onDown.spare))
	}
	refuse("--verbs: ", o.guards.check())
	refuse("--", o.checkRing())
	refuse("", o.login.check())
	refuse("--", o.buildTLS())
	if o.servers != nil {
		var err error
		o.built, err = o.build()
		refuse("--upstream: ", err)
		return errors.Join(wrong...)
	}
	noServers := errors.New("there are no servers: add --upstream")
	if o.secured != nil {
		refuse("--server-tls-ca: ", noServers)
	}
	if o.user != "" {
		refuse("--user: ", noServers)
	}
	return errors.Join(wrong...)
}
