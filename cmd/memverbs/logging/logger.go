package logging

import (
	"io"
	"log/slog"
)

// New returns a logger to w, which may be a journal, from level up. The format is text or json.
func New(w io.Writer, level slog.Level, format string) *slog.Logger {
	of := func(w io.Writer) slog.Handler {
		options := &slog.HandlerOptions{Level: level, ReplaceAttr: withUnit}
		if format == "json" {
			return slog.NewJSONHandler(w, options)
		}
		return slog.NewTextHandler(w, options)
	}
	if j, is := w.(Journal); is {
		to := &beginner{to: j.Writer}
		return slog.New(journalHandler{of(to), to})
	}
	return slog.New(of(w))
}

// withUnit writes durations as the settings have them, such as 5s, also in JSON, where they would be
// numbers of nanoseconds.
func withUnit(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().String())
	}
	return a
}
