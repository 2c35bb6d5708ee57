package differential

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// comparer compares what the two sides answer, byte for byte but for what is
// bound to differ: CAS ids, seconds that have passed, and the version.
type comparer struct {
	known    *identities
	versions [2]string         // the answers to version
	stripped bool              // the proxy stores shorter keys, so items are smaller
	about    map[uint32]string // keys of the packets that are being answered, by opaque
}

// groups compares what two sides answered to the same commands. It says what
// is wrong, nothing if the answers are the same.
func (c *comparer) groups(here, there []unit) (wrong string) {
	here = withoutSurplus(here)
	for i := range min(len(here), len(there)) {
		if wrong = c.units(here[i], there[i]); wrong != "" {
			return wrong
		}
	}
	switch {
	case len(here) > len(there):
		return fmt.Sprintf("%v is missing", here[len(there)])
	case len(here) < len(there):
		return fmt.Sprintf("%v is too much", there[len(here)])
	}
	return ""
}

// withoutSurplus drops the empty line that the newest memcached says after it has
// refused a key too long in a retrieval.
func withoutSurplus(units []unit) []unit {
	return slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return u.line == "\r\n" })
}

func (c *comparer) units(here, there unit) (wrong string) {
	if here.data != there.data || here.ends != there.ends {
		return fmt.Sprintf("%v became %v", here, there)
	}
	if here.line == c.versions[direct] && there.line == c.versions[proxied] {
		return ""
	}
	maskedHere, idsHere := mask(here)
	maskedThere, idsThere := mask(there)
	if c.stripped {
		maskedHere, maskedThere = maskSize(maskedHere), maskSize(maskedThere)
	}
	if maskedHere != maskedThere || len(idsHere) != len(idsThere) {
		return fmt.Sprintf("%v became %v", here, there)
	}
	key := keyOf(here)
	if here.packet {
		key = c.about[here.opaque()]
	}
	for i := range idsHere {
		if wrong = c.known.meet(key, [2]uint64{idsHere[i], idsThere[i]}); wrong != "" {
			return fmt.Sprintf("%v became %v: %s", here, there, wrong)
		}
	}
	return ""
}

// keyOf returns the key that a unit names, if it does. A meta command that was
// sent a key in base64 answers in base64 only if the item was stored that way:
// of one that mg made memcached writes the key as it is, even if there is a
// space in it, and what follows the space is no flag then.
func keyOf(u unit) string {
	words := u.words()
	switch words[0] {
	case "VALUE":
		return words[1]
	case "ME": // names it without a flag
		return ""
	}
	_, named, _ := strings.Cut(strings.TrimSuffix(u.line, "\r\n")+" ", " k")
	for _, key := range binaryKeys {
		if strings.HasPrefix(named, key+" ") {
			return key
		}
	}
	word, flags, _ := strings.Cut(named, " ")
	if strings.HasPrefix(flags, "b ") {
		if key, err := base64.StdEncoding.DecodeString(word); err == nil {
			return string(key)
		}
	}
	return word
}

// mask returns the line of a unit with a word in place of each number that
// may differ, and the CAS ids among them.
func mask(u unit) (line string, ids []uint64) {
	if u.packet {
		return maskPacket(u)
	}
	words := u.words()
	switch words[0] {
	case "VALUE":
		if len(words) == 5 {
			words[4] = takeID(words[4], &ids)
		}
	case "ME":
		for i, w := range words {
			words[i] = maskDebug(w, &ids)
		}
	case "HD", "VA", "EN", "NS", "NF", "EX":
		for i, w := range words {
			words[i] = maskFlag(w, &ids)
		}
	default:
		return u.line, nil
	}
	return strings.Join(words, " ") + u.line[len(strings.TrimSuffix(u.line, "\r\n")):], ids
}

// maskSize masks the size of an item, and its class, in what me answers.
func maskSize(line string) string {
	if !strings.HasPrefix(line, "ME ") {
		return line
	}
	return itemSize.ReplaceAllString(line, " cls=# size=#")
}

var itemSize = regexp.MustCompile(` cls=\d+ size=\d+`)

func takeID(text string, ids *[]uint64) string {
	id, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return text
	}
	*ids = append(*ids, id)
	return "#"
}

// maskFlag masks a flag of a meta reply: c, t and l.
func maskFlag(word string, ids *[]uint64) string {
	if len(word) < 2 {
		return word
	}
	switch text := word[1:]; word[0] {
	case 'c':
		return "c" + takeID(text, ids)
	case 't':
		return "t" + maskTime(text)
	case 'l':
		if _, err := strconv.Atoi(text); err == nil {
			return "l#"
		}
	}
	return word
}

// maskDebug masks a word of what me answers.
func maskDebug(word string, ids *[]uint64) string {
	name, text, _ := strings.Cut(word, "=")
	switch name {
	case "cas":
		text = takeID(text, ids)
	case "exp":
		text = maskTime(text)
	case "la":
		text = "#"
	default:
		return word
	}
	return name + "=" + text
}

// apart is how many seconds the times to live that are used lie apart. What is
// left of two of them differs by the time that a run takes, which is less.
const apart = 1000

// maskTime rounds a remaining time to live to what it was.
func maskTime(text string) string {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil, n == -1:
		return text
	case n > 1<<31:
		return "past" // memcached prints a negative time as one of 32 bits
	case n > 100_000_000:
		return "far"
	case n < 0: // 1.6.18 says so how long there is in me
		return "-" + maskTime(strconv.FormatInt(-n, 10))
	}
	return strconv.FormatInt((n+apart-100)/apart, 10)
}
