package main

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy"
)

// shownSettings returns the settings of a listener that is in the section s of a file, but for those
// that have no effect at its address, and reuse-port, which a reload can't change. That of auth-file
// differs if other users are in the same file.
func (l *listener) shownSettings(s *section) []proxy.Setting {
	all := newFileListener(yamlfile.Node{}).section
	list := s.shown(func(name string) bool {
		switch {
		case name == "listen" || name == "reuse-port" || all.Lookup(name) == nil:
			return false
		case name == "socket-mode":
			return l.address.Network == "unix"
		}
		return l.address.Network == "tcp" || !strings.HasPrefix(name, "tls-")
	})
	for i := range list {
		if list[i].Name == "auth-file" {
			list[i].Text += fmt.Sprintf(" %x", sha256.Sum256(fmt.Append(nil, l.auth.users)))
		}
	}
	return append(list, proxy.Setting{Name: "routes", Text: fmt.Sprint(l.routes)})
}
