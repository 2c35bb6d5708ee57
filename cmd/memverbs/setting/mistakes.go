package setting

import (
	"fmt"
	"strings"
)

// Outside is an error of something that a setting names, such as a file with passwords, and not of the
// setting itself: it can be mended without changing the settings.
type Outside struct{ error }

// Unwrap returns the error itself.
func (o Outside) Unwrap() error { return o.error }

// OutsideOr returns an error as one of what a setting names, and nil if there is none.
func OutsideOr(err error) error {
	if err == nil {
		return nil
	}
	return Outside{err}
}

// mostLines is how many lines with errors are shown.
const mostLines = 20

// Lines returns the lines of an error, one for each mistake, but no more than people read.
func Lines(err error) []string {
	lines := strings.Split(err.Error(), "\n")
	if more := len(lines) - mostLines; more > 0 {
		lines = append(lines[:mostLines], fmt.Sprintf("and %d more", more))
	}
	return lines
}
