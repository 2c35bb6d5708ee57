package structures

import (
	"slices"
	"strconv"
	"strings"
)

// list is what a key may hold: nothing, or elements in their order, each a letter, behind a
// bracket.
type list string

const noList list = "absent"

// change returns the list after step, if there is a list and the answer is the one that step expects, or if there is none
// and the answer is without.
func (l list) change(answer, without string, step func(elements string) (after, answer string)) []list {
	if l == noList {
		return answers(answer, without, l)
	}
	after, expected := step(string(l[1:]))
	return answers(answer, expected, list("["+after))
}

// push returns a list with other elements, of which there is one at least.
func (l list) push(answer string, step func(elements string) string) []list {
	if l == noList {
		l = "["
	}
	return l.change(answer, "", func(elements string) (string, string) { return step(elements), "STORED" })
}

func stepRightPush(l list, a action, answer string) []list {
	return l.push(answer, func(elements string) string { return elements + strings.Join(a.words, "") })
}

func stepLeftPush(l list, a action, answer string) []list {
	return l.push(answer, func(elements string) string {
		for _, name := range a.words {
			elements = name + elements
		}
		return elements
	})
}

func stepListRemove(l list, a action, answer string) []list {
	return l.change(answer, "NOT_FOUND", func(elements string) (string, string) {
		count, name := number(a.words[0]), a.words[1]
		if count == 0 {
			return strings.ReplaceAll(elements, name, ""), "STORED"
		}
		for ; count > 0; count-- {
			elements = strings.Replace(elements, name, "", 1)
		}
		for ; count < 0; count++ {
			if i := strings.LastIndex(elements, name); i >= 0 {
				elements = elements[:i] + elements[i+1:]
			}
		}
		return elements, "STORED"
	})
}

func stepLeftPop(l list, a action, answer string) []list {
	return l.change(answer, string(noList), func(elements string) (string, string) {
		n := min(number(a.words[0]), len(elements))
		return elements[n:], "[" + elements[:n]
	})
}

func stepRightPop(l list, a action, answer string) []list {
	return l.change(answer, string(noList), func(elements string) (string, string) {
		n := max(len(elements)-number(a.words[0]), 0)
		popped := []byte(elements[n:])
		slices.Reverse(popped)
		return elements[:n], "[" + string(popped)
	})
}

func stepTrim(l list, a action, answer string) []list {
	return l.change(answer, "NOT_FOUND", func(elements string) (string, string) {
		return between(elements, a.words), "STORED"
	})
}

func stepRange(l list, a action, answer string) []list {
	return l.change(answer, string(noList), func(elements string) (string, string) {
		return elements, "[" + between(elements, a.words)
	})
}

func stepLength(l list, _ action, answer string) []list {
	return l.change(answer, "NOT_FOUND", func(elements string) (string, string) {
		return elements, strconv.Itoa(len(elements))
	})
}

func stepListDelete(l list, _ action, answer string) []list {
	if l == noList {
		return answers(answer, "NOT_FOUND", l)
	}
	return answers(answer, "DELETED", noList)
}

// between returns the elements from one place to another, both included, and all if there are
// no places. Negative ones count from the end.
func between(elements string, places []string) string {
	if len(places) == 0 {
		return elements
	}
	start, stop := number(places[0]), number(places[1])
	if start < 0 {
		start += len(elements)
	}
	if stop < 0 {
		stop += len(elements)
	}
	if start, stop = max(start, 0), min(stop+1, len(elements)); start < stop {
		return elements[start:stop]
	}
	return ""
}

func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		panic(err)
	}
	return n
}
