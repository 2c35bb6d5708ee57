package execution

import (
	"fmt"
	"strings"
	"time"
)

// While the servers of a pool change, verbs are refused for one of these reasons.

// unconfirmed is the error while what lists the servers does not answer.
const unconfirmed = "SERVER_ERROR the servers of the pool could not be confirmed lately, and may have changed: verbs are refused until they are"

// unsettled returns the error for a verb on a key that has moved, for so long.
func unsettled(rest time.Duration) string {
	return fmt.Sprintf("SERVER_ERROR the servers of the pool have changed: verbs on this key are refused until all proxies know, in about %d s", inSeconds(rest))
}

// beyond returns the error that says which servers other proxies may use that this one does not, empty if there are none.
func (x *Executor) beyond() string {
	if !x.Places.Fresh() {
		return unconfirmed
	}
	servers, rest := x.Places.History().Beyond(time.Now())
	if len(servers) == 0 {
		return ""
	}
	return fmt.Sprintf("SERVER_ERROR not reached: other proxies may use %s, which this one does not; try again when all proxies know of the same servers, in about %d s",
		strings.Join(servers, ", "), inSeconds(rest))
}

// inSeconds returns a duration in seconds, rounded up.
func inSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
