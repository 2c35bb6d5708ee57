package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A structure that has lost its last member still exists, unless it has a time to live and its kind [format.Kind.Ends]:
// then it is deleted. Otherwise a call that adds a member later would keep the old time to live, because it does not
// read the structure, although that time was meant for members that are gone. With the structure deleted, the call
// makes a new one, with its own time to live.
//
// A call that removes the last member after reading the structure deletes the head instead of
// appending the removal, under the same condition: that the head has not changed since. So nothing
// that was added meanwhile is lost. A call that removes members without reading does not know whether
// they are the last; then the next call that reads the structure, or rewrites its head, deletes it.

// isEmpty reports whether a structure is empty and of a kind that is deleted then.
func isEmpty(p *verbs.Pace, kind *format.Kind, fold format.Fold) bool {
	return kind.Ends && fold.Live() == 0 && len(fold.AppendLog(p, nil)) == 0
}
