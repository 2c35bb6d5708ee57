package main

import (
	"io"
	"log/slog"
)

// logger returns a logger to w, which may be a journal, with the level and format of the settings.
func (p *process) logger(w io.Writer) *slog.Logger {
	of := func(w io.Writer) slog.Handler {
		options := &slog.HandlerOptions{Level: p.logLevel, ReplaceAttr: withUnit}
		if p.logFormat == "json" {
			return slog.NewJSONHandler(w, options)
		}
		return slog.NewTextHandler(w, options)
	}
	if j, is := w.(journal); is {
		return slog.New(newJournalHandler(j, of))
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
