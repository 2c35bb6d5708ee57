package plots

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var show = flag.String("show", "", "write the charts that the tests draw into this folder, to look at")

// check fails the test if the document is not whole, or says not all that it
// should.
func check(t *testing.T, svg []byte, texts ...string) {
	t.Helper()
	if *show != "" {
		if err := os.WriteFile(filepath.Join(*show, t.Name()+".svg"), svg, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := make(map[string]bool)
	for decoder := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			said[strings.TrimSpace(string(data))] = true
		}
	}
	for _, text := range texts {
		if !said[text] {
			t.Errorf("%q is not in the chart", text)
		}
	}
}

// count returns how many shapes of the colour of a series there are.
func count(svg []byte, series int) int {
	c := hue(series)
	const digits = "0123456789ABCDEF"
	hex := []byte{'#'}
	for _, b := range []byte{c.R, c.G, c.B} {
		hex = append(hex, digits[b>>4], digits[b&15])
	}
	return strings.Count(string(svg), string(hex))
}

func someBars() *Bars {
	return &Bars{
		Title:  "Requests per second (ratio to nutcracker)",
		Unit:   "ratio",
		Groups: []string{"50 conns", "50 conns\n16 pipelined", "1 conn", "1000 conns", "multi-get\nof 100", "10 kB", "500 kB", "open loop", "unix\nsockets"},
		Series: []Series{
			{"memverbs", []Bar{{1.1, 1, 1.2}, {1.8, 1.6, 2.1}, {1, .97, 1.04}, {1.2, 1.1, 1.5}, {2, 1.5, 2.2}, {1.3, 1.1, 1.4}, {1.4, 1.2, 1.7}, {}, {1.1, 1.05, 1.2}}},
			{"nutcracker", []Bar{{1, .9, 1.1}, {1, .9, 1.1}, {1, .9, 1.1}, {1, .9, 1.1}, {1, .9, 1.1}, {1, .9, 1.1}, {1, .9, 1.1}, {1, .9, 1.1}, {1, .9, 1.1}}},
			{"memcached directly", []Bar{{2, 1.9, 2.1}, {3, 2.9, 3.1}, {2, 1.9, 2.1}, {2, 1.9, 2.1}, {2, 1.9, 2.1}, {2, 1.9, 2.1}, {2, 1.9, 2.1}, {2, 1.9, 2.1}, {2, 1.9, 2.1}}},
		},
		Reference: 1,
	}
}

func TestBars(t *testing.T) {
	svg, err := someBars().SVG()
	if err != nil {
		t.Fatal(err)
	}
	check(t, svg, "Requests per second (ratio to nutcracker)", "ratio", "16 pipelined", "500 kB", "memverbs", "memcached directly", "0", "2")
	for series, want := range []int{8, 9, 9} { // a figure that is missing is not drawn
		if n := count(svg, series) - 1; n != want { // one more is in the legend
			t.Errorf("series %d: %d bars, not %d", series, n, want)
		}
	}
}

// A bar that is much higher than the others does not make them small.
func TestBarsCutOff(t *testing.T) {
	bars := someBars()
	bars.Top = 4
	bars.Series[2].Bars[3] = Bar{31.46, 20, 50}
	bars.Series[2].Bars[4] = Bar{3.9, 3.8, 70}
	svg, err := bars.SVG()
	if err != nil {
		t.Fatal(err)
	}
	check(t, svg, "31.5", "0", "2", "4")
}

func TestFewBars(t *testing.T) {
	bars := Bars{
		Title:  "sadd: requests per second",
		Unit:   "requests/s",
		Groups: []string{"unpipelined", "16 pipelined"},
		Series: []Series{
			{"memverbs", []Bar{{104_000, 98_000, 120_500}, {390_000, 360_000, 400_000}}},
			{"Valkey", []Bar{{140_000, 130_000, 150_000}, {800_000, 790_000, 1_210_000}}},
		},
	}
	svg, err := bars.SVG()
	if err != nil {
		t.Fatal(err)
	}
	check(t, svg, "400k", "1.2M", "Valkey")
}

func TestBarsRefused(t *testing.T) {
	short := someBars()
	short.Series[1].Bars = short.Series[1].Bars[1:]
	infinite := someBars()
	infinite.Series[1].Bars[1].Median = math.Inf(1)
	for _, b := range []*Bars{short, infinite} {
		if _, err := b.SVG(); err == nil || !strings.Contains(err.Error(), "nutcracker") {
			t.Errorf("drawn, or a message that says not why: %v", err)
		}
	}
}

func someCurves() *Curves {
	c := &Curves{Title: "Latency, 50 connections, unpipelined, 100 B"}
	for i, name := range []string{"memverbs", "nutcracker", "memcached directly"} {
		curve := Curve{Name: name}
		for n := 0.0; n < 5; n += 0.05 {
			curve.Points = append(curve.Points, Point{100 - 100*math.Pow(10, -n), 0.2 * (1 + float64(i)/3) * math.Exp(n*n/6)})
		}
		c.Series = append(c.Series, curve)
	}
	return c
}

func TestCurves(t *testing.T) {
	svg, err := someCurves().SVG()
	if err != nil {
		t.Fatal(err)
	}
	check(t, svg, "50%", "90%", "99%", "99.9%", "99.99%", "ms", "0.5", "1", "10", "nutcracker")
}

func TestCurvesRefused(t *testing.T) {
	for _, p := range []Point{{100, 1}, {-1, 1}, {50, 0}, {50, math.NaN()}} {
		c := someCurves()
		c.Series[1].Points[3] = p
		if _, err := c.SVG(); err == nil || !strings.Contains(err.Error(), "nutcracker") {
			t.Errorf("%v is drawn, or the message says not where: %v", p, err)
		}
	}
}

func TestNoCurves(t *testing.T) {
	for _, series := range [][]Curve{nil, {{Name: "memverbs"}}} {
		if _, err := (&Curves{Series: series}).SVG(); err == nil {
			t.Errorf("drawn: %v", series)
		}
	}
}
