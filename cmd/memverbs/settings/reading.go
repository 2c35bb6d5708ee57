package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memverbs/memverbs/cmd/memverbs/hosts"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy/config"
)

// ReadFile reads the settings in the file at path. Its error has all mistakes, each of one line.
func ReadFile(path string) (s *All, warnings []Warning, err error) {
	root, err := yamlfile.Read(path)
	if err != nil {
		return nil, nil, err
	}
	return Parse(root)
}

// Parse reads the settings in the file with the given root.
func Parse(root yamlfile.Node) (s *All, warnings []Warning, err error) {
	f := &file{root: root}
	f.Section = f.top()
	err = read(f.Section, root)
	if err = errors.Join(err, f.check()); err != nil {
		return nil, nil, yamlfile.Sort(err)
	}
	f.warnOfAll()
	s = &f.All
	s.Lookup, s.Texts = hosts.System, setting.Texts(f.FlagSet, func(string) bool { return true })
	for _, p := range f.pools {
		p.Pool.Texts = poolTexts(p.Section)
		s.Pools = append(s.Pools, &p.Pool)
		s.addListeners(p.listening, p.Section, []config.Route{{Pool: p.name}})
	}
	for _, l := range f.listeners {
		s.addListeners(l.listening, l.Section, l.routes)
	}
	return s, f.warnings, nil
}

// poolTexts returns the settings of a pool, without those of its listeners.
func poolTexts(s *setting.Section) []config.Setting {
	return setting.Texts(s.FlagSet, func(name string) bool { return !slices.Contains(listenerKeys, name) })
}

// addListeners adds a listener for each address of a section.
func (s *All) addListeners(from listening, section *setting.Section, routes []config.Route) {
	for _, a := range from.addresses {
		l := listener{Address: a, listening: from, routes: routes}
		l.texts = append(setting.Texts(section.FlagSet, l.applies), config.Setting{Name: "routes", Text: fmt.Sprintf("%#v", routes)})
		s.Listeners = append(s.Listeners, l)
	}
}

// listenerKeys are the settings that listeners have.
var listenerKeys = EmptySections().Listener.Keys()

// applies reports whether a setting has an effect at the listener's address, and a reload can change it.
func (l *listener) applies(name string) bool {
	switch {
	case name == "listen" || name == "reuse-port" || !slices.Contains(listenerKeys, name):
		return false
	case name == "socket-mode":
		return l.Address.Network == "unix"
	}
	return l.Address.Network == "tcp" || !strings.HasPrefix(name, "tls-")
}
