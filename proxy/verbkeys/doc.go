// Package verbkeys lets ordinary commands carry verbs, for clients that can't
// be changed: a set or a get of a key that begins with an agreed prefix runs a
// verb and is answered as that set or get would be. With the prefix verb/
//
//	set verb/<verb>/<key>, with the verb's words or data as the value
//	get verb/<verb>/<key>[/<word>...]
//
// get stands for gets, mg and each key of a multi-get too, set for ms. Which verbs can
// be carried, and how, is for each to say: see [verbs.Carry]. The key may hold slashes,
// so the words are its last parts, as many as the verb says; those that it can do
// without are recognized as numbers.
//
// The way of a request is: [Keys] tells by its key that it carries a verb and
// translates it to the verb's request; the verb is carried out as any other;
// [Understand] reads what the verb answered, and a [Form] puts that into the
// reply which the carrying command has. Nothing here does I/O or knows what
// else is under way.
package verbkeys
