//go:build linux

package waitload

import (
	"strings"
	"testing"
)

// Answers are parsed once they are complete, wherever they were cut.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		dialect Dialect
		came    string
		want    answer
	}{
		{Verbs{}, "END\r\n", answer{kind: timedOut}},
		{Verbs{}, "STORED\r\n", answer{kind: pushed}},
		{Verbs{}, "VALUE list7 0 4 0\r\n\r\nEN\r\nEND\r\n", answer{kind: delivered, element: []byte("\r\nEN")}},
		{Verbs{}, "VALUE list7 0 0\r\n\r\nEND\r\n", answer{kind: timedOut}}, // the list is empty
		{Beanstalkd{}, "WATCHING 2\r\n", answer{kind: noted}},
		{Beanstalkd{}, "USING list7\r\n", answer{kind: noted}},
		{Beanstalkd{}, "DELETED\r\n", answer{kind: noted}},
		{Beanstalkd{}, "INSERTED 12\r\n", answer{kind: pushed}},
		{Beanstalkd{}, "TIMED_OUT\r\n", answer{kind: timedOut}},
		{Beanstalkd{}, "RESERVED 12 3\r\nabc\r\n", answer{kind: delivered, element: []byte("abc"), thanks: "delete 12\r\n"}},
	} {
		for cut := range test.came {
			if a, length, err := test.dialect.next([]byte(test.came[:cut])); a.kind != incomplete || length != 0 || err != nil {
				t.Errorf("%q: %+v, %d, %v", test.came[:cut], a, length, err)
			}
		}
		a, length, err := test.dialect.next([]byte(test.came + "more"))
		if a.kind != test.want.kind || string(a.element) != string(test.want.element) || a.thanks != test.want.thanks || length != len(test.came) || err != nil {
			t.Errorf("%q: %+v, %d, %v", test.came, a, length, err)
		}
	}
}

func TestWrongAnswers(t *testing.T) {
	for came, dialect := range map[string]Dialect{
		"SERVER_ERROR out of memory\r\n":         Verbs{},
		"VALUE list7 0 x 0\r\n":                  Verbs{},
		"VALUE list7 0 3 0\r\nabcdefghijk":       Verbs{},
		"\n\r\n":                                 Verbs{},
		"\r\n":                                   Beanstalkd{},
		"DEADLINE_SOON\r\n":                      Beanstalkd{},
		"RESERVED 12\r\n":                        Beanstalkd{},
		"RESERVED 12 -1\r\n":                     Beanstalkd{},
		"RESERVED 12 3\r\nabcd\r\n":              Beanstalkd{},
		"BURIED 12\r\n" + strings.Repeat("x", 9): Beanstalkd{},
	} {
		if a, _, err := dialect.next([]byte(came)); err == nil {
			t.Errorf("%q: %+v", came, a)
		}
	}
}
