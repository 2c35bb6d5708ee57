package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/admin"
)

// startAdmin starts the server of --admin. stop stops it; without the flag it does nothing.
func (o *options) startAdmin(server *proxy.Server, log *slog.Logger) (stop func(), err error) {
	if o.admin == "" {
		return func() {}, nil
	}
	a, err := admin.Listen(o.admin, server.Snapshot, log)
	if err != nil {
		return nil, err
	}
	log.Info("the admin server is ready", "admin", a.Addr().String())
	return a.Close, nil
}

// fingerprintSize is the length of a fingerprint, in bytes: enough to tell some dozens of
// configurations apart, and short enough to be compared by eye.
const fingerprintSize = 6

// fingerprint returns a hash of the settings that all proxies in front of a pool must agree on.
func (o *options) fingerprint() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %d %d", o.upstreams, o.layout, o.prefixes, o.hashTag, o.logChunk.Milliseconds(), o.logChunks))
	return hex.EncodeToString(sum[:fingerprintSize])
}
