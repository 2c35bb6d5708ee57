package logging

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// journalHandler is a handler of a log whose lines go to the journal, with their priorities.
type journalHandler struct {
	slog.Handler // writes to to, a line at a time
	to           *beginner
}

// Handle implements slog.Handler. Without a time the line has none.
func (h journalHandler) Handle(ctx context.Context, r slog.Record) error {
	h.to.mu.Lock()
	defer h.to.mu.Unlock()
	h.to.begin, r.Time = priority(r.Level), time.Time{}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h journalHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return journalHandler{h.Handler.WithAttrs(attrs), h.to}
}

// WithGroup implements slog.Handler.
func (h journalHandler) WithGroup(name string) slog.Handler {
	return journalHandler{h.Handler.WithGroup(name), h.to}
}

// beginner writes a line with a beginning.
type beginner struct {
	to    io.Writer
	mu    sync.Mutex // held while a line is made and written
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
