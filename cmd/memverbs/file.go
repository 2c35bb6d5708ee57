package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/hosts"
)

// file is a file of settings that is being read.
type file struct {
	settings
	*section
	root      yamlfile.Node
	pools     []*filePool
	listeners []*fileListener
	warnings  []warning
}

// filePool is a pool of a file, with the addresses that lead to it alone.
type filePool struct {
	pool
	listening
	*section
	at yamlfile.Node // its name
}

// fileListener is an element of the list of listeners.
type fileListener struct {
	listening
	*section
	routes []route
	at     yamlfile.Node
	ways   []*fileRoute // the routes in the file
}

// readFile reads the settings in the file at path.
func readFile(path string) (s *settings, warnings []warning, err error) {
	root, err := yamlfile.Read(path)
	if err != nil {
		return nil, nil, err
	}
	return readSettings(root)
}

// readSettings reads the settings in the file with the given root.
func readSettings(root yamlfile.Node) (s *settings, warnings []warning, err error) {
	f := &file{root: root}
	f.section = f.top()
	err = f.section.read(root)
	if err = errors.Join(err, f.check()); err != nil {
		return nil, nil, yamlfile.Sort(err)
	}
	f.settings.lookup = hosts.System
	for _, p := range f.pools {
		p.pool.texts = p.shownSettings()
		f.settings.pools = append(f.settings.pools, &p.pool)
	}
	return &f.settings, f.warnings, nil
}

// top returns the section that the whole file is.
func (f *file) top() *section {
	s := newSection("at the top of the file, beside pools", map[string]func(yamlfile.Node) error{
		"pools": func(n yamlfile.Node) error { return eachEntry(n, f.readPool) },
		"listeners": func(n yamlfile.Node) error {
			return eachElement(n, func(n yamlfile.Node) error {
				l := newFileListener(n)
				f.listeners = append(f.listeners, l)
				return l.section.read(n)
			})
		},
	})
	s.part("The process", f.process.define)
	s.part("Logging and information", f.defineLog)
	return s
}

func (f *file) readPool(e yamlfile.Entry) error {
	p := newFilePool(e)
	f.pools = append(f.pools, p)
	err := p.section.read(e.Value)
	if wrong := checkName(e.Key); wrong != nil {
		err = errors.Join(e.At.Errorf("%v", wrong), err)
	}
	return err
}

// longestName is the longest name of a pool.
const longestName = 64

func checkName(name string) error {
	if name == "" || len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return fmt.Errorf("%q can't be the name of a pool: use 1 to %d bytes without white space or control characters", name, longestName)
	}
	return nil
}

func newFilePool(e yamlfile.Entry) *filePool {
	p := &filePool{pool: pool{name: e.Key}, section: newSection("into a pool", nil), at: e.At}
	p.part("Where clients that use this pool alone connect", p.defineClients)
	p.part("The memcached servers behind it", func(f *pflag.FlagSet) {
		p.placement.define(f, "servers")
		p.pool.define(f)
	})
	p.part("While a server is down, and when it is back", func(f *pflag.FlagSet) {
		p.outages.define(f)
		p.defineSpare(f)
	})
	p.part("What clients may not do", func(f *pflag.FlagSet) { p.guards.define(f, deny) })
	p.part("Verbs", p.defineVerbs)
	return p
}

func newFileListener(n yamlfile.Node) *fileListener {
	l := &fileListener{at: n}
	l.section = newSection("into an element of listeners", map[string]func(yamlfile.Node) error{"routes": l.readRoutes})
	l.part("Where clients connect", l.defineClients)
	return l
}

// shownSettings returns the settings of the pool, without those of its listeners. That of the
// password differs if another one is in the same file.
func (p *filePool) shownSettings() []proxy.Setting {
	ofListeners := newFileListener(yamlfile.Node{}).section
	list := p.shown(func(name string) bool { return ofListeners.Lookup(name) == nil })
	for i := range list {
		if list[i].Name == "password-file" {
			list[i].Text += fmt.Sprintf(" %x", sha256.Sum256([]byte(p.password.text)))
		}
	}
	return list
}

// emptySections returns sections of each kind, to look up their keys.
func emptySections() []*section {
	return []*section{(&file{}).top(), newFilePool(yamlfile.Entry{}).section, newFileListener(yamlfile.Node{}).section, newFileRoute(yamlfile.Entry{}).section}
}
