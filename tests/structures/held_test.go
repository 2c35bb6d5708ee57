package structures

import "time"

// held says who holds a lock, nobody if the token is empty, and until when at least.
type held struct {
	token string
	until int64 // in nanoseconds since the beginning
}

// orFree returns the states that a lock may have had when an action was carried out: if the holder's
// time was over before the answer, its lock may have ended.
func (h held) orFree(a action) []held {
	if h.token != "" && h.until < a.back {
		return []held{h, {}}
	}
	return []held{h}
}

// hold returns a lock that a token has taken or prolonged. Its time counts from the request.
func hold(a action) held {
	return held{token: a.words[0], until: a.call + int64(number(a.words[1]))*int64(time.Second)}
}

// byHolder takes an answer that depends on who holds the lock.
func (h held) byHolder(a action, answer, nobody, another, itself string, after held) (next []held) {
	for _, h := range h.orFree(a) {
		switch h.token {
		case "":
			next = append(next, answers(answer, nobody, h)...)
		case a.words[0]:
			next = append(next, answers(answer, itself, after)...)
		default:
			next = append(next, answers(answer, another, h)...)
		}
	}
	return next
}

func stepLock(h held, a action, answer string) (next []held) {
	for _, h := range h.orFree(a) {
		if h.token == "" || h.token == a.words[0] {
			next = append(next, answers(answer, "STORED", hold(a))...)
		} else {
			next = append(next, answers(answer, "NOT_STORED", h)...)
		}
	}
	return next
}

func stepRelock(h held, a action, answer string) []held {
	return h.byHolder(a, answer, "NOT_FOUND", "EXISTS", "STORED", hold(a))
}

func stepUnlock(h held, a action, answer string) []held {
	return h.byHolder(a, answer, "NOT_FOUND", "EXISTS", "DELETED", held{})
}

func stepHolder(h held, a action, answer string) (next []held) {
	for _, h := range h.orFree(a) {
		next = append(next, answers(answer, h.token, h)...)
	}
	return next
}
