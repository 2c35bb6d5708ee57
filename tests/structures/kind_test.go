package structures

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/anishathalye/porcupine"
)

// kind is what the soak has to know of a kind of structures: what clients ask of one, how
// that is said on the wire, and which answers are right.
type kind struct {
	name       string
	verbs      []*verb
	look       string // the verb that reads most
	places     int    // where workers meet
	unanswered int    // changes, before a history ends
	open       int    // changes that are unanswered or under way, at most
	rest       int    // how long a worker waits after an answer, at most, in milliseconds
	folds      bool   // its logs grow, so memverbs has to compact them
	parts      bool   // one takes several items, and is lost with any of them

	nothing any                   // the state of a key that nothing is under; nil if there are no states
	evicted func(state any) []any // what an eviction may leave of a state; nothing if nil

	language func(random *rand.Rand) language
	client   func(k *kind, id int, random *rand.Rand) client
	// views returns what is judged one by one: copies of a history, each with what concerns
	// one part of the structure. If it is nil the history is judged as it is.
	views func(list []porcupine.Operation, forgetful bool) [][]porcupine.Operation
	// judge says what else is wrong with a history, that views do not show; nothing if nothing is. It may be nil.
	judge func(list []porcupine.Operation, forgetful bool) (wrong string)
}

// verb is something that can be done to a structure of a kind.
type verb struct {
	name  string
	share int                              // how often it is asked for, in relation to the others
	words func(random *rand.Rand) []string // makes up what follows the key; nothing if nil
	reads bool                             // it changes nothing
	step  func(s any, a action, answer string) []any
}

// action is what a client asks of a structure.
type action struct {
	verb  *verb
	words []string
	of    language

	// These are known when the history is complete.
	call, back int64  // when it was asked and answered
	view       string // the part that it is looked at for
	again      bool   // it may have happened twice, and this is the other time
}

func (a action) String() string {
	return strings.Join(append([]string{a.verb.name}, a.words...), " ")
}

// vanish is what happens to all structures of a memcached that dies.
var vanish = &verb{name: "vanish"}

// language says how the actions on one structure are said on the wire.
type language interface {
	fmt.Stringer
	request(key string, a action) string
	// understand returns an answer in the words of the model. What makes no sense stays as
	// it is, and the model will not have it.
	understand(a action, r reply) string
}

// client decides what a worker does.
type client interface {
	choose() action
	// learn is told what has come of an action, which may be another than was chosen.
	learn(a action, answer string)
}

func (k *kind) verb(name string) *verb {
	for _, v := range k.verbs {
		if v.name == name {
			return v
		}
	}
	panic(k.name + " has no verb " + name)
}
