package verbkeys

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// explain returns the error line for what is wrong with a key.
func (k *Keys) explain(wrong problem, by protocol.Command, key []byte) string {
	switch wrong {
	case wrongVerb:
		return k.unknown(by, key)
	case noPart:
		return k.lacking(key)
	case wrongOrder:
		name, _ := k.split(key)
		return k.otherwise(verbNamed(name), key)
	}
	return fmt.Sprintf("CLIENT_ERROR %s names a key or word that is not 1 to %d bytes without white space or control characters",
		shown(key), protocol.MaxKey)
}

// unknown returns the error that key names no verb that a command can carry. If another
// command can carry the verb, or none can, the error says so.
func (k *Keys) unknown(by protocol.Command, key []byte) string {
	var names []string
	for _, v := range catalog.All {
		if v.Carry != nil && carries(v.Carry, by) {
			names = append(names, v.Name)
		}
	}
	return fmt.Sprintf("CLIENT_ERROR %s names no verb that %s can carry%s%s", shown(key), by, list(names), k.hint(key))
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

// lacking returns the error that key lacks a part of its verb's shape: the name, or one of the words after it.
func (k *Keys) lacking(key []byte) string {
	name, subject := k.split(key)
	named := verbNamed(name)
	carry := named.Carry
	subject, _ = cutWait(subject, named)
	subject, _ = cutOptional(subject, nil, carry)
	part := 0
	if subject = bytes.TrimSuffix(subject, []byte{'/'}); len(subject) > 0 && subject[0] != '/' {
		part = min(1+bytes.Count(subject, []byte{'/'}), carry.Words)
	}
	return fmt.Sprintf("CLIENT_ERROR %s names no %s: expected %s%s/%s", shown(key), partOf(carry.Shape, part), k.prefix, name, carry.Shape)
}

// otherwise returns the error that the parts of key do not fit the verb, although all required parts are
// there.
func (k *Keys) otherwise(named *verbs.Verb, key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s has other parts than those expected: %s%s/%s", shown(key), k.prefix, named.Name, named.Carry.Shape)
}

// partOf returns what part n of a shape is called.
func partOf(shape string, n int) string {
	part, _, _ := strings.Cut(strings.Split(shape, "<")[n+1], ">")
	return part
}

// wordsExpected returns the error that the value of a request does not have as many words as
// the verb takes from it; found says how many it has.
func wordsExpected(verb *verbs.Verb, key []byte, found string) string {
	return fmt.Sprintf("CLIENT_ERROR %s in the value for %s: expected %s", found, shown(key), strings.Join(wordsOfValue(verb), " "))
}

// wordsOfValue returns the words of the verb's usage that a value has: those that are neither
// in the key nor the exptime nor the option.
func wordsOfValue(verb *verbs.Verb) []string {
	words := strings.Fields(strings.TrimSuffix(verb.Usage, " [noreply]"))
	switch {
	case verb.Carry.Exptime && verb.Carry.ValueFirst:
		return words[1:2]
	case verb.Carry.Exptime:
		words = words[:len(words)-1]
	}
	switch {
	case verb.Carry.ValueFirst:
		return words[1 : len(words)-verb.Carry.Words]
	case verb.Carry.Single:
		words[1] = strings.TrimSuffix(words[1], "+")
	}
	return words[1+verb.Carry.Words:]
}

// noCarrier returns the error that req can carry no verb.
func (k *Keys) noCarrier(req *protocol.Request) string {
	if req.Command == protocol.MetaSet {
		return fmt.Sprintf("CLIENT_ERROR %s names a verb: it takes the modes S and E of ms only%s", shown(req.Key), k.hint(req.Key))
	}
	return k.noItem(req.Key)
}

func (k *Keys) noItem(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a verb, not an item: only get, gets, mg, set, add, ms, incr, decr, ma, delete, md and touch can carry one%s", shown(key), k.hint(key))
}

// hint returns the end of an error for a key with a verb that is carried by another command, or can't be carried;
// empty if it has none.
func (k *Keys) hint(key []byte) string {
	name, _ := k.split(key)
	switch named := verbNamed(name); {
	case named != nil:
		by := named.Carry.By.String()
		if named.Carry.By == protocol.Add {
			by += ", or by ms in its mode E"
		}
		return fmt.Sprintf("; %s is carried by %s", name, by)
	case catalog.Known[string(name)] != nil:
		return fmt.Sprintf("; no command can carry %s, so send the verb itself", name)
	}
	return ""
}

// within adds the key to an error of the verb that it names.
func within(key []byte, refusal string) string {
	return fmt.Sprintf("CLIENT_ERROR %s: %s", shown(key), strings.TrimPrefix(refusal, "CLIENT_ERROR "))
}
