package status

import "testing"

// Every ending has a name of its own, by which the metrics tell it.
func TestEndingsHaveNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{"": true}
	for ending := range Ending(NumEndings) {
		if seen[ending.String()] {
			t.Errorf("ending %d is called %q", ending, ending)
		}
		seen[ending.String()] = true
	}
}
