package paged_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/internal/paged"
)

func TestSlice(t *testing.T) {
	var s paged.Slice[int]
	assert.Nil(t, s.Find(0))
	*s.At(1300)++
	*s.At(1300)++
	*s.At(3) = 7
	assert.Equal(t, 2, *s.Find(1300))
	assert.Equal(t, 0, *s.Find(1301))
	assert.Nil(t, s.Find(700), "the page between was not asked for")
	assert.Nil(t, s.Find(1_000_000))

	apart := s.Apart()
	*apart.At(3) = 8
	*apart.At(700) = 9
	*apart.At(5000) = 9
	assert.Equal(t, 8, *s.At(3))
	assert.Nil(t, s.Find(700))
	assert.Nil(t, s.Find(5000))

	all := map[int]int{}
	last := -1
	for n, v := range s.All() {
		assert.Greater(t, n, last)
		if last = n; *v != 0 {
			all[n] = *v
		}
	}
	assert.Equal(t, map[int]int{3: 8, 1300: 2}, all)
	for range s.All() {
		break
	}
}
