package logging

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// journalHandler is a handler of a log whose lines go to the journal. It has one handler for each
// priority, by what these begin their lines with.
type journalHandler map[string]slog.Handler

// newJournalHandler returns the handler. of returns one that writes to w, a line at a time.
func newJournalHandler(j Journal, of func(w io.Writer) slog.Handler) journalHandler {
	h := make(journalHandler)
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		begin := priority(level)
		h[begin] = of(&beginner{to: j.Writer, begin: begin})
	}
	return h
}

// Enabled implements slog.Handler.
func (h journalHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h[priority(level)].Enabled(ctx, level)
}

// Handle implements slog.Handler. Without a time the line has none.
func (h journalHandler) Handle(ctx context.Context, r slog.Record) error {
	r.Time = time.Time{}
	return h[priority(r.Level)].Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h journalHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.each(func(one slog.Handler) slog.Handler { return one.WithAttrs(attrs) })
}

// WithGroup implements slog.Handler.
func (h journalHandler) WithGroup(name string) slog.Handler {
	return h.each(func(one slog.Handler) slog.Handler { return one.WithGroup(name) })
}

func (h journalHandler) each(do func(slog.Handler) slog.Handler) journalHandler {
	next := make(journalHandler)
	for begin, one := range h {
		next[begin] = do(one)
	}
	return next
}

// beginner writes each line with a beginning. Its user writes one line at a time.
type beginner struct {
	to    io.Writer
	begin string
	line  []byte
}

// Write implements io.Writer.
func (b *beginner) Write(line []byte) (int, error) {
	b.line = append(append(b.line[:0], b.begin...), line...)
	if _, err := b.to.Write(b.line); err != nil {
		return 0, err
	}
	return len(line), nil
}
