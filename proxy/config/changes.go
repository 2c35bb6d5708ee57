package config

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/memverbs/memverbs/sharding"
)

// LogChanges logs what a reload changes.
func (s *Setup) LogChanges(before *Setup, log *slog.Logger) {
	for _, p := range s.Pools {
		switch old := before.Pool(p.Name); {
		case old == nil:
			log.Info("pool added", "pool", p.Name, "upstreams", p.names())
		case old != p:
			log.Info("pool changed", "pool", p.Name, "settings", changed(old.Settings, p.Settings), "added", without(p.names(), old.names()), "removed", without(old.names(), p.names()),
				"keys-that-move", fmt.Sprintf("%.1f%%", 100*sharding.Moved(old.Layout, p.Layout, old.servers(), p.servers())))
		}
	}
	for _, p := range before.Pools {
		if s.Pool(p.Name) == nil {
			log.Info("pool removed", "pool", p.Name)
		}
	}
	for i, l := range s.Sockets {
		if names := changed(before.Listener(l).Settings, s.Config.Listeners[i].Settings); len(names) > 0 && slices.Contains(before.Sockets, l) {
			log.Info("listener changed", "address", l.Name(), "settings", names)
		}
	}
	for _, l := range s.Without(before) {
		log.Info("listener added", "address", l.Name())
	}
	for _, l := range before.Without(s) {
		log.Info("listener removed", "address", l.Name())
	}
}

// changed returns the names of the settings that differ after a reload.
func changed(before, after []Setting) (names []string) {
	for _, setting := range after {
		if !slices.Contains(before, setting) {
			names = append(names, setting.Name)
		}
	}
	return names
}

// without returns the elements of list that are not in other.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(other, name) })
}
