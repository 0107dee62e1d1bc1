package perfdump

// Limits limits the cost of one document. A zero field means its default, so the zero
// Limits is the usual choice.
type Limits struct {
	// Anomalies is how many anomalies a document keeps; further ones are only counted, per
	// code. The default is 1,000.
	Anomalies int
	// Values is how many values an object may have even if it has fewer bytes; an object
	// that exceeds both is rejected with ErrLimit. This stops a thousand counters that
	// share one offset in a thousand instances. The default is 65,536.
	Values int
}

// MaxAnomalies returns the effective limit of anomalies kept.
func (l Limits) MaxAnomalies() int {
	if l.Anomalies > 0 {
		return l.Anomalies
	}
	return 1000
}

// MaxValues returns the effective limit of values for an object of size bytes.
func (l Limits) MaxValues(size int) int {
	values := 65536
	if l.Values > 0 {
		values = l.Values
	}
	return max(values, size)
}
