package settings

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/namespace"
)

// families is the setting of which keys are flushed together.
type families struct{ namespaces []namespace.Pattern }

// longestNamespace is the longest pattern, in bytes, so that much room is left for the rest of a key.
const longestNamespace = 100

func (s *families) define(f *pflag.FlagSet) {
	setting.DefineList(f, &s.namespaces, setting.Kind[namespace.Pattern]{Name: "prefix", Read: readNamespace, Show: namespace.Pattern.String}.Sample("user:"), setting.SplitList, "namespaces",
		"`prefix` of keys that nsflush hides all at once, such as user:, or one with a star, such as shop/*/, which\nis a namespace for each shop; such keys are stored in another form")
}

func readNamespace(text string) (namespace.Pattern, error) {
	p, err := namespace.ParsePattern(text)
	if err == nil {
		err = checkPrefix(text)
	}
	if err == nil && len(text) > longestNamespace {
		err = fmt.Errorf("%q is longer than %d bytes, the longest that a namespace may be", text, longestNamespace)
	}
	return p, err
}

// check refuses patterns that go with no other, or not with another setting.
func (s *families) check(readOnly bool) error {
	if len(s.namespaces) > 0 && readOnly {
		return errors.New("a read-only pool can't make the generations that its keys are stored with; remove one of the two")
	}
	for i, p := range s.namespaces {
		for _, other := range s.namespaces[:i] {
			if p.Overlaps(other) {
				return fmt.Errorf("a key may be in both %s and %s, and could be flushed with only one of them; remove one", other, p)
			}
		}
	}
	return nil
}

// agreement is a text that is the same for pools that store keys alike, empty if there are no namespaces.
func (s *families) agreement() string {
	if len(s.namespaces) == 0 {
		return ""
	}
	return fmt.Sprintf(" %q", s.namespaces)
}
