package export

import (
	"iter"
	"slices"
)

// byID has an element for each series, by its ID. It grows page by page: there
// may be a million, which a slice would have twice while it grows.
type byID[T any] struct{ pages []*[idsPerPage]T }

const idsPerPage = 512

// at returns the element of an ID.
func (b *byID[T]) at(id int) *T {
	page := uint(id) / idsPerPage
	if page >= uint(len(b.pages)) {
		b.grow(page)
	}
	return &b.pages[page][uint(id)%idsPerPage]
}

func (b *byID[T]) grow(page uint) {
	for page >= uint(len(b.pages)) {
		b.pages = append(b.pages, new([idsPerPage]T))
	}
}

// apart returns a copy that does not grow into b.
func (b *byID[T]) apart() byID[T] { return byID[T]{slices.Clip(b.pages)} }

// all yields the elements by their IDs; those behind the last are zero.
func (b *byID[T]) all() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, page := range b.pages {
			for i := range page {
				if !yield(&page[i]) {
					return
				}
			}
		}
	}
}
