// Package pairing finds which parts of an older and a newer thing are the same
// part.
package pairing

// Pairs has of each part of one side the part of the other that it is, -1 for
// none.
type Pairs struct {
	Older []int32 // of each newer part
	Newer []int32 // of each older part
}

// Match pairs parts by their keys. Of several with one key the first is paired
// with the first. It takes linear time, however many keys are equal, and makes
// a map only of what is at different places on the two sides.
func Match[K comparable](older, newer int, keyOlder, keyNewer func(int) K) Pairs {
	p := Pairs{Older: make([]int32, newer), Newer: make([]int32, older)}
	same := 0
	for same < older && same < newer && keyOlder(same) == keyNewer(same) {
		p.Older[same], p.Newer[same] = int32(same), int32(same)
		same++
	}
	for i := same; i < older; i++ {
		p.Newer[i] = -1
	}
	for i := same; i < newer; i++ {
		p.Older[i] = -1
	}
	if same < older && same < newer {
		Rest(&p, keyOlder, keyNewer)
	}
	return p
}

// Rest pairs the parts that have no pair yet.
func Rest[K comparable](p *Pairs, keyOlder, keyNewer func(int) K) {
	head := make(map[K]int32) // the first free part of a key
	next := make([]int32, len(p.Newer))
	for i := len(p.Newer) - 1; i >= 0; i-- {
		if p.Newer[i] >= 0 {
			continue
		}
		k := keyOlder(i)
		next[i] = -1
		if at, ok := head[k]; ok {
			next[i] = at
		}
		head[k] = int32(i)
	}
	for i, at := range p.Older {
		if at >= 0 {
			continue
		}
		k := keyNewer(i)
		if at, ok := head[k]; ok && at >= 0 {
			p.Older[i], p.Newer[at] = at, int32(i)
			head[k] = next[at]
		}
	}
}
