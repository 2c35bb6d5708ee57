// Package verbkeys lets ordinary commands carry verbs, for clients that can't be
// changed: a set, get or another command on a key that begins with a configured prefix
// runs a verb and gets the reply of that command. With the prefix verb/
//
//	set verb/<verb>/<key>, with the verb's words or data as the value
//	get verb/<verb>/<key>[/<word>...]
//
// gets, mg and each key of a multi-get work like get, and ms like set. Other verbs are
// carried by add, delete, touch, incr and decr, and by the meta commands that do the same:
// ms with mode E, md, mg with T, and ma (carrier.go). Each verb says whether and how it can
// be carried, see [verbs.Carry]. The key may contain slashes, so the words are its last
// parts, as many as the verb says; optional ones are recognized by being numbers.
//
// A request is processed like this: [Keys] recognizes by the key that the request carries a verb,
// and translates it to the verb's line, which the verb parses; the verb runs like any other;
// [Understand] parses its answer, and a [Form] formats that as the reply to the carrying command. A
// delete of a key whose verb is carried by set has nothing to do, see [Keys.Futile]. This package
// does no I/O and knows no other requests.
//
// # Files, from the top down
//
//	translate.go                       the request that a request carries
//	changing.go                        one that changes something
//	verbline.go wrongkeys.go parts.go  the verb reads its line; what is wrong with a key, and its parts
//	form.go outcome.go                 the reply to the carrying request, and the verb's answer
//	carrier.go encoding.go             what can carry a verb; how clients encode values
//	keys.go
package verbkeys
