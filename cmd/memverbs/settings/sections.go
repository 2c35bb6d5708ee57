package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/shadow"
)

// file is a file of settings that is being read.
type file struct {
	All
	*setting.Section
	root      yamlfile.Node
	pools     []*filePool
	listeners []*fileListener
	warnings  []Warning
}

// filePool is a pool of a file, with the addresses that lead to it alone.
type filePool struct {
	Pool
	listening
	*setting.Section
	at yamlfile.Node // its name
}

// fileListener is an element of the list of listeners.
type fileListener struct {
	listening
	*setting.Section
	routes []config.Route
	at     yamlfile.Node
	ways   []*fileRoute // the routes in the file
}

// fileRoute is a route of a file. at is its prefix, target the name of its pool, and shadow that of its shadow.
type fileRoute struct {
	config.Route
	*setting.Section
	at, target, shadow yamlfile.Node
	copies             []yamlfile.Node // the names of its copies
}

// Warning is about something that is allowed, but hardly meant.
type Warning struct{ At, Text string }

func (w Warning) String() string { return w.At + ": warning: " + w.Text }

func (f *file) warn(at yamlfile.Node, format string, args ...any) {
	f.warnings = append(f.warnings, Warning{at.At(), fmt.Sprintf(format, args...)})
}

// Sections are the sections that a file can have, for the manual and the examples.
type Sections struct{ Top, Pool, Listener, Route *setting.Section }

// EmptySections returns them without values.
func EmptySections() Sections {
	return Sections{(&file{}).top(), newFilePool(yamlfile.Entry{}).Section, newFileListener(yamlfile.Node{}).Section, newFileRoute(yamlfile.Entry{}).Section}
}

// All returns all sections.
func (s Sections) All() []*setting.Section {
	return []*setting.Section{s.Top, s.Pool, s.Listener, s.Route}
}

// read reads a section, and refuses the keys that it does not have.
func read(s *setting.Section, n yamlfile.Node) error {
	errs := []error{s.Read(n)}
	for _, e := range s.Unknown {
		if isTwemproxy(e.Value) {
			errs = append(errs, e.At.Errorf("%q is a pool of a file of twemproxy: memverbs import makes a file of memverbs from one", e.Key))
		} else {
			errs = append(errs, e.At.Errorf("no key %q here%s", e.Key, hintOfKey(s, e.Key)))
		}
	}
	return errors.Join(errs...)
}

// hintOfKey returns the end of an error about an unknown key: where it belongs, or what may be meant.
func hintOfKey(s *setting.Section, key string) string {
	for _, other := range EmptySections().All() {
		if slices.Contains(other.Keys(), key) {
			return ": it belongs " + other.Name()
		}
	}
	return setting.Suggest(key, s.Keys())
}

// isTwemproxy reports whether n is a pool of a configuration of twemproxy: it has addresses, and no
// value of a file of memverbs is a mapping with these two keys.
func isTwemproxy(n yamlfile.Node) bool {
	_, err := n.Entries()
	return err == nil && n.Has("listen") && n.Has("servers")
}

// top returns the section that the whole file is.
func (f *file) top() *setting.Section {
	s := setting.NewSection("at the top of the file, beside pools", map[string]func(yamlfile.Node) error{
		"pools": func(n yamlfile.Node) error { return setting.EachEntry(n, f.readPool) },
		"listeners": func(n yamlfile.Node) error {
			return setting.EachElement(n, func(n yamlfile.Node) error {
				l := newFileListener(n)
				f.listeners = append(f.listeners, l)
				return read(l.Section, n)
			})
		},
	})
	s.Part("The process", f.Process.define)
	s.Part("Logging and information", f.defineLog)
	return s
}

func (f *file) readPool(e yamlfile.Entry) error {
	p := newFilePool(e)
	f.pools = append(f.pools, p)
	err := read(p.Section, e.Value)
	if wrong := CheckName(e.Key); wrong != nil {
		err = errors.Join(e.At.Errorf("%v", wrong), err)
	}
	return err
}

// longestName is the longest name of a pool.
const longestName = 64

// CheckName refuses what can't be the name of a pool.
func CheckName(name string) error {
	if name == "" || len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return fmt.Errorf("%q can't be the name of a pool: use 1 to %d bytes without white space or control characters", name, longestName)
	}
	return nil
}

func newFilePool(e yamlfile.Entry) *filePool {
	p := &filePool{Pool: Pool{name: e.Key}, Section: setting.NewSection("into a pool", nil), at: e.At}
	p.Part("Where clients that use this pool alone connect", p.defineClients)
	p.Part("The memcached servers behind it", func(f *pflag.FlagSet) {
		p.Placement.define(f, "servers")
		p.Pool.define(f)
	})
	p.Part("While a server is down, and when it is back", func(f *pflag.FlagSet) {
		p.outages.define(f)
		p.defineSpare(f)
		p.defineWarmFrom(f)
	})
	p.Part("What is answered without a server", p.answers.define)
	p.Part("Keys that are flushed together", p.families.define)
	p.Part("What clients may not do", func(f *pflag.FlagSet) { p.guards.define(f, deny) })
	p.Part("Verbs", p.defineVerbs)
	return p
}

func newFileListener(n yamlfile.Node) *fileListener {
	l := &fileListener{at: n}
	l.Section = setting.NewSection("into an element of listeners", map[string]func(yamlfile.Node) error{"routes": l.readRoutes})
	l.Part("Where clients connect", l.defineClients)
	return l
}

// readRoutes reads a mapping of prefixes to names of pools, or to mappings with more.
func (l *fileListener) readRoutes(n yamlfile.Node) error {
	return setting.EachEntry(n, func(e yamlfile.Entry) error {
		r := newFileRoute(e)
		l.ways = append(l.ways, r)
		err := errors.Join(r.readValue(e.Value), r.check())
		l.routes = append(l.routes, r.Route)
		return err
	})
}

func newFileRoute(e yamlfile.Entry) *fileRoute {
	r := &fileRoute{Route: config.Route{Prefix: e.Key}, at: e.At, target: e.Value}
	r.Section = setting.NewSection("into a route", map[string]func(yamlfile.Node) error{"pool": r.readPool, "copies": r.readCopies, "shadow": r.readShadow, "share": r.readShare})
	r.Part("A route", func(f *pflag.FlagSet) {
		setting.Define(f, &r.Strip, false, setting.YesOrNo(), "strip", "forward and store keys without the prefix")
	})
	return r
}

func (r *fileRoute) readValue(n yamlfile.Node) error {
	if n.IsMapping() {
		return read(r.Section, n)
	}
	return r.readPool(n)
}

// readPool reads the name of the pool, which is checked later.
func (r *fileRoute) readPool(n yamlfile.Node) (err error) {
	r.target = n
	r.Pool, err = n.Text()
	return err
}

// readCopies reads the names of the pools that have copies, which are checked later.
func (r *fileRoute) readCopies(n yamlfile.Node) error {
	r.copies, r.Copies = nil, nil
	err := setting.EachElement(n, func(n yamlfile.Node) error {
		name, err := n.Text()
		r.copies, r.Copies = append(r.copies, n), append(r.Copies, name)
		return err
	})
	if err != nil {
		return err
	}
	if len(r.Copies) < 2 || len(r.Copies) > copies.Most {
		return n.Errorf("copies: give the names of 2 to %d pools, the one that is read first at the beginning", copies.Most)
	}
	r.target, r.Pool = r.copies[0], r.Copies[0]
	return nil
}

// readShadow reads the name of the shadow, which is checked later.
func (r *fileRoute) readShadow(n yamlfile.Node) (err error) {
	r.shadow = n
	r.Shadow, err = n.Text()
	return err
}

// readShare reads the share of the keys that are sent to the shadow.
func (r *fileRoute) readShare(n yamlfile.Node) error {
	return setting.SetFrom(n, "share", func(text string) (err error) {
		r.Share, err = shadow.ParseShare(text)
		return err
	})
}

// check checks everything but whether there is such a pool.
func (r *fileRoute) check() error {
	var errs []error
	if r.Prefix != "" {
		if wrong := checkPrefix(r.Prefix); wrong != nil {
			errs = append(errs, r.at.Errorf("routes: %v", wrong))
		}
	} else if r.Strip {
		errs = append(errs, r.Given["strip"].Errorf("strip: there is nothing to strip from the keys without a prefix; give the route a prefix, or remove strip"))
	}
	_, named := r.Given["pool"]
	_, copied := r.Given["copies"]
	switch {
	case named && copied:
		errs = append(errs, r.Given["copies"].Errorf("copies: this route has a pool, too; remove one of the two"))
	case len(r.Given) > 0 && !named && !copied:
		errs = append(errs, r.at.Errorf("this route has no pool: add \"pool:\""))
	}
	errs = append(errs, r.checkShadow())
	return errors.Join(errs...)
}

// checkShadow checks what a route tells of its shadow, but not whether there is such a pool.
func (r *fileRoute) checkShadow() error {
	_, shadowed := r.Given["shadow"]
	share, shared := r.Given["share"]
	_, copied := r.Given["copies"]
	switch {
	case shared && !shadowed:
		return share.Errorf("share: this route has no shadow: add \"shadow:\" with the name of the pool to which this share of the keys is sent too, or remove share")
	case shadowed && !shared:
		return r.shadow.Errorf("shadow: add \"share:\", the share of the keys that are sent to it, like 5%% or 100%%")
	case shadowed && copied:
		return r.shadow.Errorf("shadow: a route with copies has no shadow: its answers come from several pools, with which those of one can't be compared")
	}
	return nil
}
