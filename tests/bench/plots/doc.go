// Package plots draws the charts of a benchmark's report: plain figures in, an
// SVG document out.
//
// [Bars] compares contestants under several loads: a group of bars for each
// load, a bar for each contestant, as high as the median of its rounds, with a
// whisker from the least round to the greatest. A difference that is smaller
// than the whiskers says nothing.
//
// [Curves] shows how latency is distributed: milliseconds, in a logarithmic
// scale, over percentiles in a scale of nines, where 90, 99, 99.9 and 99.99 are
// equally far apart, so that the slow requests get the room they deserve. This
// is how Gil Tene's HdrHistogram draws it.
//
// Colours are told apart by people with any kind of colour vision (Okabe and
// Ito, "Color Universal Design"). A series has its colour by its place, so
// charts that list the same contestants first agree. The background is white,
// and not clear, so that a chart can be read where pages are dark.
package plots
