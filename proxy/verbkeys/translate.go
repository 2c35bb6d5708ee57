package verbkeys

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Translate sets verb to the request that req carries. req is not a get, gets, gat or gats, its key
// names a verb, and the parser may have refused it. If it carries no verb, Translate returns the
// error line. verb is valid as long as req, and until the next translation. now is in seconds since
// 1970.
func (k *Keys) Translate(req, verb *protocol.Request, now int64) (refusal string) {
	if req.Refusal != "" {
		return req.Refusal
	}
	by := carrier(req)
	if by == protocol.Unknown {
		return k.noCarrier(req)
	}
	named, wrong := k.begin(by, req.Key)
	if wrong != fine {
		return k.explain(wrong, by, req.Key)
	}
	if by == protocol.Get {
		refusal = k.read(named, req.Key, verb)
		verb.Details = req.Command.Meta()
		return refusal
	}
	return k.change(named, req, verb, now)
}

// Futile reports whether req deletes a key whose verb is carried by set, and returns the verb's key, which is
// valid until the next translation. There is nothing to delete, but it is not an error either: some libraries,
// such as Django's, delete a key whose set was answered NOT_STORED.
func (k *Keys) Futile(req *protocol.Request) (subject []byte, futile bool) {
	if req.Refusal != "" || carrier(req) != protocol.Delete {
		return nil, false
	}
	if _, wrong := k.begin(protocol.Set, req.Key); wrong != fine {
		return nil, false
	}
	return k.line[:k.first], true
}

// Read is Translate for the retrieval of key by command, which is get, gets, gat or gats.
func (k *Keys) Read(command protocol.Command, key []byte, verb *protocol.Request) (refusal string) {
	if !reads(command) {
		return k.noItem(key)
	}
	named, wrong := k.begin(protocol.Get, key)
	if wrong != fine {
		return k.explain(wrong, protocol.Get, key)
	}
	return k.read(named, key, verb)
}

// Subject returns the verb that the retrieval of key by command carries, and the verb's
// key; nil if it carries none. The verb's key is valid until the next translation.
func (k *Keys) Subject(command protocol.Command, key []byte) (subject []byte, verb *verbs.Verb) {
	if !reads(command) {
		return nil, nil
	}
	named, wrong := k.begin(protocol.Get, key)
	if wrong != fine {
		return nil, nil
	}
	subject, _ = protocol.NextWord(k.line)
	return subject, named
}
