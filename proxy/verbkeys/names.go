package verbkeys

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// verbNamed returns the verb of that name, nil if there is none or it can't be carried.
func verbNamed(name []byte) *verbs.Verb {
	if named := catalog.Known.Named(name); named != nil && catalog.All[named.Number].Carry != nil {
		return catalog.All[named.Number]
	}
	return nil
}

// stores reports whether a storage command carries the verb.
func stores(v *verbs.Verb) bool { return v.Carry.Value != verbs.NoValue }

// unknown returns the error that key names no verb that can be carried by a storage
// command, or by a retrieval if storing is false. If the other kind of command can
// carry the verb, the error says so.
func (k *Keys) unknown(key []byte, storing bool) string {
	var names []string
	for _, v := range catalog.All {
		if v.Carry != nil && stores(v) == storing {
			names = append(names, v.Name)
		}
	}
	command, other := "get", "set"
	if storing {
		command, other = other, command
	}
	hint := ""
	if name, _ := k.split(key); verbNamed(name) != nil {
		hint = fmt.Sprintf("; %s is carried by %s", name, other)
	}
	last := len(names) - 1
	return fmt.Sprintf("CLIENT_ERROR %s names no verb that %s can carry: those are %s and %s%s",
		shown(key), command, strings.Join(names[:last], ", "), names[last], hint)
}

// lacking returns the error that key has too few parts for its verb.
func (k *Keys) lacking(key []byte) string {
	name, _ := k.split(key)
	shape := verbNamed(name).Carry.Shape
	_, last, _ := strings.Cut(shape, "/")
	return fmt.Sprintf("CLIENT_ERROR %s names no %s: expected %s%s/%s", shown(key), strings.Trim(last, "<>"), k.prefix, name, shape)
}

func noItem(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a verb, not an item: only get, gets, mg, set and ms can carry one", shown(key))
}

func badKey(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a key or member that is not 1 to %d bytes without white space or control characters",
		shown(key), protocol.MaxKey)
}

// shown returns a key in a form that is safe in a reply: a key that came in base64 may
// contain anything, even line ends.
func shown(key []byte) string {
	if protocol.PlainWord(key) {
		return string(key)
	}
	return fmt.Sprintf("%q", key)
}
