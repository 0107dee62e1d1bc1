// Package paged has slices for what is kept of each series of a recording. There
// may be a million of them, and a plain slice takes twice the memory while it grows.
package paged

import (
	"iter"
	"slices"
)

// Slice has an element for each number from 0 on, those of most of which are
// small. It grows page by page, and only by the pages that are used.
type Slice[T any] struct{ pages []*[perPage]T }

const perPage = 512

// At returns the element of a number, which is made if there is none.
func (s *Slice[T]) At(n int) *T {
	page := uint(n) / perPage
	if page >= uint(len(s.pages)) || s.pages[page] == nil {
		s.grow(page)
	}
	return &s.pages[page][uint(n)%perPage]
}

func (s *Slice[T]) grow(page uint) {
	for page >= uint(len(s.pages)) {
		s.pages = append(s.pages, nil)
	}
	s.pages[page] = new([perPage]T)
}

// Find returns the element of a number, nil where its page was never used.
func (s *Slice[T]) Find(n int) *T {
	page := uint(n) / perPage
	if page >= uint(len(s.pages)) || s.pages[page] == nil {
		return nil
	}
	return &s.pages[page][uint(n)%perPage]
}

// Apart returns a copy that does not grow into s. They share the elements that
// there are.
func (s *Slice[T]) Apart() Slice[T] { return Slice[T]{slices.Clone(s.pages)} }

// All yields the elements of all pages by their numbers; of those that were never
// used the zero one.
func (s *Slice[T]) All() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for n, page := range s.pages {
			if page == nil {
				continue
			}
			for i := range page {
				if !yield(n*perPage+i, &page[i]) {
					return
				}
			}
		}
	}
}
