// Package hotkeys finds the keys that are asked for most in the last minute, in bounded
// memory and without allocating for a request.
//
// A [Window] of an event loop looks at a sample, keys at random distances, so that no pattern
// of requests escapes it or is counted too often; a key in the sample counts for those passed by. The sample of
// each ten seconds goes to a sketch of its own: Space-Saving, of Ahmed Metwally, Divyakant
// Agrawal and Amr El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data
// Streams", ICDT 2005. It counts a fixed number of keys. When another key comes, that takes the
// place of the one with the least count, and takes over its count, which is noted as the new
// key's possible error. So a key with more than one in [Size] of the sample is always among
// them.
//
// What is reported of a key is its count less its possible error: what was certainly counted.
// Clients that ask for a million keys once each, to fill the sketch, don't appear as hot keys.
package hotkeys
