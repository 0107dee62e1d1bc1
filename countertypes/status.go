package countertypes

import "fmt"

// Status says whether a counter has a value, and why not.
type Status uint8

// The statuses. Those after StatusOK stand in the order in which they are
// tested, so of two that hold the smaller one is reported.
const (
	StatusOK Status = iota
	StatusTypeMismatch
	StatusUnsupported
	StatusText
	StatusNoValue
	StatusBaseOnly
	StatusNeedsSecondSample
	StatusInvalidData
	StatusInstanceChanged // the older sample is another owner's, of the same name
	StatusNoBase
	StatusNegativeDelta
	StatusNegativeTimeBase
	StatusNegativeDenominator
	StatusZeroDenominator
)

var statusWords = [...]string{
	StatusOK:                  "ok",
	StatusTypeMismatch:        "type-mismatch",
	StatusUnsupported:         "unsupported",
	StatusText:                "text",
	StatusNoValue:             "no-value",
	StatusBaseOnly:            "base-only",
	StatusNeedsSecondSample:   "needs-second-sample",
	StatusInvalidData:         "invalid-data",
	StatusInstanceChanged:     "instance-changed",
	StatusNoBase:              "no-base",
	StatusNegativeDelta:       "negative-delta",
	StatusNegativeTimeBase:    "negative-time-base",
	StatusNegativeDenominator: "negative-denominator",
	StatusZeroDenominator:     "zero-denominator",
}

// OfAnother returns the status of an older sample that belongs to another owner
// than the newer one: s, or StatusInstanceChanged if that is tested first.
func (s Status) OfAnother() Status { return first(s, StatusInstanceChanged) }

// String returns the word of s: "ok", "needs-second-sample".
func (s Status) String() string {
	if int(s) < len(statusWords) {
		return statusWords[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// MarshalText writes the word of s.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what [Status.MarshalText] wrote, with the errors of
// [ParseStatus].
func (s *Status) UnmarshalText(text []byte) error {
	v, err := ParseStatus(string(text))
	if err == nil {
		*s = v
	}
	return err
}

// ParseStatus is the inverse of [Status.String]. A word that is no status is an
// error without a code.
func ParseStatus(word string) (Status, error) {
	for s, w := range statusWords {
		if w == word {
			return Status(s), nil
		}
	}
	return 0, fmt.Errorf("unknown status %q", word)
}

// The codes of pdhmsg.h that have a counterpart here.
const (
	pdhInvalidData         = 0xC0000BBA
	pdhNoData              = 0x800007D5
	pdhNegativeDenominator = 0x800007D6
	pdhNegativeTimeBase    = 0x800007D7
	pdhNegativeValue       = 0x800007D8
)

// PDH returns the code that the Performance Data Helper library gives in this
// case, and false where it is not documented to have one.
func (s Status) PDH() (code uint32, ok bool) {
	switch s {
	case StatusOK:
		return 0, true
	case StatusNeedsSecondSample, StatusInvalidData:
		return pdhInvalidData, true
	case StatusNegativeDelta:
		return pdhNegativeValue, true
	case StatusNegativeDenominator:
		return pdhNegativeDenominator, true
	case StatusNegativeTimeBase:
		return pdhNegativeTimeBase, true
	case StatusNoValue:
		return pdhNoData, true
	default:
		return 0, false
	}
}
