package twemproxy

import (
	"fmt"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/listen"
)

// pool is a pool of twemproxy.
type pool struct {
	at   yamlfile.Node // its name
	name string

	isRedis bool
	redisAt yamlfile.Node // the setting that says so

	address                 listen.Address
	listenAt                yamlfile.Node
	mode                    string // permissions of a unix socket; empty if none are set
	distribution, hash, tag string
	timeout                 int // in milliseconds; 0 for ever
	servers                 []settings.Server
	serversAt               yamlfile.Node

	warnings []settings.Warning
	remarks  []string // comments on what differs
}

// check refuses servers that memverbs can't place keys on.
func (p *pool) check() error {
	place := settings.Placement{Servers: p.servers, Layout: p.layout(), HashTag: p.tag}
	if _, err := place.Build(); err != nil {
		return p.serversAt.Errorf("servers: %v", err)
	}
	return nil
}

func (p *pool) layout() string { return "twemproxy:" + p.distribution + ":" + p.hash }

// differs adds a warning, which becomes a comment too.
func (p *pool) differs(at yamlfile.Node, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.warnings = append(p.warnings, settings.Warning{At: at.At(), Text: text})
	p.remark("%s", text)
}

// remark adds a comment.
func (p *pool) remark(format string, args ...any) {
	p.remarks = append(p.remarks, fmt.Sprintf(format, args...))
}
