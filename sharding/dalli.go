package sharding

import (
	"crypto/sha1"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

// newDalli returns the layout of Ruby's Dalli 3.0.6 (dalli/ring.rb): a ring with 160
// points to a server of average weight, where a key belongs to the last point at or
// before its CRC-32. In the other ring layouts it belongs to the first point at or
// after its hash.
//
// The points are hashed by SHA-1 from the host, the port (even the default one) and a
// number, or from the path of a unix socket and a number. The order of the list matters
// only where two points coincide: the later server has them.
//
// Dalli shortens a key of more than 250 bytes before it hashes it, so it hashes the key
// that is sent over the wire.
func newDalli(servers []Server) (Layout, error) {
	var points []point
	total := totalWeight(servers)
	for i, s := range servers {
		count := math.Floor(float64(len(servers)*pointsPerServer*s.Weight) / float64(total))
		for n := range int(count) {
			digest := sha1.Sum([]byte(s.hostPort() + ":" + strconv.Itoa(n)))
			points = append(points, point{binary.BigEndian.Uint32(digest[:]), uint32(i)})
		}
	}
	return &hashRing{newRing(floors(points)), crc32Whole}, nil
}

// floors converts points to those of a [ring]. Each of the given points owns the values from
// its own up to, but not including, the next point's. Each of the returned ones owns the
// values after the previous point's, up to its own.
func floors(points []point) []point {
	slices.SortStableFunc(points, compareValues)
	last := points[len(points)-1].server
	var turned []point
	if first := points[0].value; first > 0 {
		turned = append(turned, point{first - 1, last})
	}
	for i, p := range points[:len(points)-1] {
		if next := points[i+1].value; next > p.value {
			turned = append(turned, point{next - 1, p.server})
		}
	}
	return append(turned, point{math.MaxUint32, last})
}
