// Package hotkeys finds the keys that are asked for most in the last minute, in bounded
// memory and without allocating for a request.
//
// A [Window] of an event loop counts a sample of the keys. The distances between sampled keys are random, so
// that no pattern of requests escapes the sample or is counted too often; a sampled key counts for the keys
// skipped before it. The sample of each ten seconds goes to a sketch of its own: Space-Saving, of Ahmed
// Metwally, Divyakant Agrawal and Amr El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data
// Streams", ICDT 2005. It counts a fixed number of keys. When another key comes, it replaces the key with the
// least count and takes over its count, which is noted as the new key's possible error. So a key with more
// than 1/[Size] of the sample is always among them.
//
// The count reported of a key is its count less its possible error: what was certainly its own.
// Clients that ask for a million keys once each, to fill the sketch, don't appear as hot keys.
package hotkeys
