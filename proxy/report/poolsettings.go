package report

import (
	"strings"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/status"
)

// settingsOf returns the settings of a pool that change what clients get, without those that are not set.
func settingsOf(p *config.SharedPool) (list []status.Setting) {
	for _, s := range []status.Setting{
		{Name: "near", Text: prefixes(p.Near)},
		{Name: "hold-misses", Text: prefixes(p.HoldMisses)},
		{Name: "namespaces", Text: p.Namespaces.String()},
		{Name: "read-only", Text: onlyIf(p.Guard.ReadOnly)},
		{Name: "verbs refused", Text: strings.Join(p.Guard.DeniedVerbs, ", ")},
	} {
		if s.Text != "" {
			list = append(list, s)
		}
	}
	return list
}

func prefixes(list []byprefix.Duration) string {
	var texts []string
	for _, d := range list {
		texts = append(texts, d.Text+"="+d.For.String())
	}
	return strings.Join(texts, ", ")
}

func onlyIf(set bool) string {
	if set {
		return "yes"
	}
	return ""
}

// onDownText says what clients get for the keys of a server that is down.
func onDownText(p *config.SharedPool) string {
	switch p.OnDown {
	case config.Miss:
		return "gets of its keys are misses, changes are refused"
	case config.Spare:
		return "its keys are in the pool " + p.Spare + " meanwhile"
	default:
		return "requests for its keys are refused"
	}
}
