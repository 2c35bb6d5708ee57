package logging

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// Durations have their unit in either format.
func TestDurationsInTheLog(t *testing.T) {
	t.Parallel()
	for format, says := range map[string]string{"text": "took=1.5s", "json": `"took":"1.5s"`} {
		var said bytes.Buffer
		New(&said, slog.LevelInfo, format).With(slog.Duration("since", time.Minute)).Info("x", "took", 1500*time.Millisecond)
		if !strings.Contains(said.String(), says) || !strings.Contains(said.String(), "1m0s") {
			t.Errorf("in format %s: %s", format, said.String())
		}
	}
}
