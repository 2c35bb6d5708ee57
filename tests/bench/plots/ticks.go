package plots

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// linearTicks marks round figures.
func linearTicks(min, max float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(min, max)
	for i, t := range ticks {
		if !t.IsMinor() {
			ticks[i].Label = brief(t.Value)
		}
	}
	return ticks
}

// logTicks marks the powers of ten, and 2 and 5 times each where few powers
// are in sight.
func logTicks(min, max float64) (ticks []plot.Tick) {
	crowded := max/min > 1e4
	for power := math.Floor(math.Log10(min)); power <= math.Ceil(math.Log10(max)); power++ {
		for factor := 1.0; factor < 10; factor++ {
			tick := plot.Tick{Value: factor * math.Pow(10, power)}
			if factor == 1 || !crowded && (factor == 2 || factor == 5) {
				tick.Label = brief(tick.Value)
			}
			if tick.Value >= min && tick.Value <= max {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}

// ninesTicks marks 0%, 50%, 90%, 99%, 99.9% and so on.
func ninesTicks(_, max float64) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0%"}, {Value: nines(50), Label: "50%"}}
	for n := 1.0; n <= max; n++ {
		percentile := 100 - 100*math.Pow(10, -n)
		ticks = append(ticks, plot.Tick{Value: n, Label: strconv.FormatFloat(percentile, 'f', int(math.Max(0, n-2)), 64) + "%"})
	}
	return ticks
}

// brief writes a figure with k or M for thousands or millions.
func brief(v float64) string {
	switch size := math.Abs(v); {
	case size >= 1e6:
		return strconv.FormatFloat(round(v/1e6, 6), 'g', -1, 64) + "M"
	case size >= 1e3:
		return strconv.FormatFloat(round(v/1e3, 6), 'g', -1, 64) + "k"
	default:
		return strconv.FormatFloat(round(v, 6), 'g', -1, 64)
	}
}

// round keeps so many digits. Six drop what only the binary representation adds.
func round(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return r
}
