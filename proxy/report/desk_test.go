package report

import "testing"

// Whoever waits for the same statistics is answered by one collection of them.
func TestDeskAnswersTogether(t *testing.T) {
	t.Parallel()
	var d Desk
	opened := make(chan map[Question][]func(string), 10)
	open := func(all map[Question][]func(string)) { opened <- all }
	answer := func(string) {}
	d.Ask(Question{What: "first"}, answer, open)
	if all := <-opened; len(all) != 1 {
		t.Errorf("%d questions, expected the first", len(all))
	}
	for range 5 {
		d.Ask(Question{What: "a"}, answer, open)
		d.Ask(Question{What: "b"}, answer, open)
	}
	as, bs := 0, 0
	for as < 5 || bs < 5 {
		all := <-opened
		as, bs = as+len(all[Question{What: "a"}]), bs+len(all[Question{What: "b"}])
	}
	if as != 5 || bs != 5 || len(opened) > 0 {
		t.Errorf("%d and %d answers of 5 each, and %d more", as, bs, len(opened))
	}
}
