package sharding

import (
	"crypto/sha1"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

// NewDalli returns the layout of Ruby's Dalli 3.0.6 (dalli/ring.rb): a ring with
// 160 points to a server of average weight, where the point at or before the
// CRC-32 of a key names the server. In the other layouts it is the one at or
// after.
//
// The points are hashed by SHA-1 from the host, the port, which is never left
// out, and a number; from the path of a unix socket and a number. The order of
// the list matters only where two points coincide: the later server has them.
//
// Dalli shortens a key of more than 250 bytes before it hashes it, and so the
// hash agrees with what goes over the wire.
//
// It refuses an empty pool, a server that is there twice, a weight that is not
// from 1 to [MaxWeight], and names.
func NewDalli(servers []Server) (Layout, error) {
	if err := checkPool("dalli", servers, hasWeights); err != nil {
		return nil, err
	}
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

// floors turns points that own the values from themselves up to the next into
// points that own the values after the one before up to themselves.
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
