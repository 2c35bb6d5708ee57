package smallfile

import (
	"os"
	"testing"
)

// A name that would break a line, or change what a terminal shows, is quoted. Others are shown as
// they are.
func TestName(t *testing.T) {
	t.Parallel()
	for path, shown := range map[string]string{
		"/etc/memverbs/users": "/etc/memverbs/users",
		"my users, für alle":  "my users, für alle",
		"a\nb":                `"a\nb"`,
		"a\x1b[2Jb":           `"a\x1b[2Jb"`,
		"a\xffb":              `"a\xffb"`,
	} {
		if got := Name(path); got != shown {
			t.Errorf("%q is shown as %s, expected %s", path, got, shown)
		}
	}
	_, err := os.Open("/nowhere/a\nb")
	if got := Named(err).Error(); got != `open "/nowhere/a\nb": no such file or directory` || !os.IsNotExist(Named(err)) {
		t.Errorf("the error is %q", got)
	}
}
