package transport

import (
	"bytes"
	"fmt"
	"testing"
)

func TestOutputAdvancesByAnyStep(t *testing.T) {
	for step := 1; step < 40; step++ {
		var p Buffers
		out := Output{Buffers: &p}
		var expected, got bytes.Buffer
		for i := range 50 {
			text := fmt.Sprintf("message %d of some length;", i)
			expected.WriteString(text)
			if i%5 == 0 {
				out.Own(append(p.Get(len(text)), text...), 0)
			} else if i%5 == 1 {
				out.Own(append(p.Get(2+len(text)), "x:"+text...), 2)
			} else {
				out.Write([]byte(text))
			}
			for out.Size() > step*3 {
				got.WriteString(string(out.Bytes())[:step])
				out.advance(step)
			}
		}
		got.WriteString(string(out.Bytes()))
		out.advance(out.Size())
		if got.String() != expected.String() {
			t.Fatalf("step %d: what left is not what was written", step)
		}
		if p.InUse() != 0 || out.Size() != 0 {
			t.Fatalf("step %d: %d bytes of buffers are still out, size %d", step, p.InUse(), out.Size())
		}
	}
}
