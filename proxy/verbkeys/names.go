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

// explain returns the error line for what is wrong with a key.
func (k *Keys) explain(wrong problem, by protocol.Command, key []byte) string {
	switch wrong {
	case wrongVerb:
		return k.unknown(by, key)
	case noWord:
		return k.lacking(key)
	}
	return fmt.Sprintf("CLIENT_ERROR %s names a key or word that is not 1 to %d bytes without white space or control characters",
		shown(key), protocol.MaxKey)
}

// unknown returns the error that key names no verb that a command can carry. If another
// command can carry the verb, the error says so.
func (k *Keys) unknown(by protocol.Command, key []byte) string {
	var names []string
	for _, v := range catalog.All {
		if v.Carry != nil && carries(v.Carry, by) {
			names = append(names, v.Name)
		}
	}
	hint := ""
	if name, _ := k.split(key); verbNamed(name) != nil {
		hint = fmt.Sprintf("; %s is carried by %s", name, verbNamed(name).Carry.By)
	}
	return fmt.Sprintf("CLIENT_ERROR %s names no verb that %s can carry%s%s", shown(key), by, list(names), hint)
}

// list returns names as the end of a sentence.
func list(names []string) string {
	switch last := len(names) - 1; last {
	case -1:
		return ""
	case 0:
		return ": that is " + names[0]
	default:
		return ": those are " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
}

// lacking returns the error that key has too few parts for its verb.
func (k *Keys) lacking(key []byte) string {
	name, _ := k.split(key)
	shape := verbNamed(name).Carry.Shape
	_, words, _ := strings.Cut(shape, "/<")
	word, _, _ := strings.Cut(words, ">")
	return fmt.Sprintf("CLIENT_ERROR %s names no %s: expected %s%s/%s", shown(key), word, k.prefix, name, shape)
}

// noCarrier returns the error that req can carry no verb.
func noCarrier(req *protocol.Request) string {
	if req.Command == protocol.MetaSet {
		return fmt.Sprintf("CLIENT_ERROR %s names a verb: it takes the modes S and E of ms only", shown(req.Key))
	}
	return noItem(req.Key)
}

func noItem(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a verb, not an item: only get, gets, mg, set, add, ms, incr, decr, ma, delete, md and touch can carry one", shown(key))
}

// within adds the key to an error of the verb that it names.
func within(key []byte, refusal string) string {
	return fmt.Sprintf("CLIENT_ERROR %s: %s", shown(key), strings.TrimPrefix(refusal, "CLIENT_ERROR "))
}

// shown returns a key in a form that is safe in a reply: a key that came in base64 may
// contain anything, even line ends.
func shown(key []byte) string {
	if protocol.PlainWord(key) {
		return string(key)
	}
	return fmt.Sprintf("%q", key)
}
