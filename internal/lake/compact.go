package lake

// without returns what a file becomes without the shares that are stale.
func (l *Lake) without(f *File, stale func(Share) bool) ([]*File, error) {
	return nil, nil
}
