package verbkeys

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// verbNamed returns the verb of that name, nil if nothing can carry it.
func verbNamed(name []byte) *verbs.Verb {
	if named := catalog.Known.Named(name); named != nil && catalog.All[named.Number].Carry != nil {
		return catalog.All[named.Number]
	}
	return nil
}

// stores reports whether what carries the verb is a command that stores.
func stores(v *verbs.Verb) bool { return v.Carry.Value != verbs.NoValue }

// unknown says that key names no verb that can be carried by a command which stores, or
// by one which does not, and which does carry it if it names another.
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

// lacking says that key has too few parts for the verb that it names.
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

// shown returns a key as it can stand in a reply: one that came in base64 may
// hold anything, line ends too.
func shown(key []byte) string {
	if protocol.PlainWord(key) {
		return string(key)
	}
	return fmt.Sprintf("%q", key)
}
