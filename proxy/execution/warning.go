package execution

import (
	"log/slog"
	"time"
)

// warning is a warning about structures. Since a client can cause many, by writing under
// their keys, at most one line is logged in warningPause, with the number of others since the
// previous line.
type warning struct {
	logged time.Time // time of the last line
	more   uint64    // other warnings since then
}

// warningPause is the least time between two lines.
const warningPause = time.Second

// log logs a line with arguments as those of [slog.Logger.Warn], or counts it as one of the
// others.
func (w *warning) log(to *slog.Logger, text string, arguments ...any) {
	now := time.Now()
	if now.Sub(w.logged) < warningPause {
		w.more++
		return
	}
	to.Warn(text, append(arguments, "more", w.more)...)
	*w = warning{logged: now}
}
