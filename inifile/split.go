package inifile

import "bytes"

// Kind says what a text is for.
type Kind uint8

// The kinds of texts.
const (
	Name Kind = iota // the name of an object or counter
	Help             // its explanation
)

// String returns the end of a text's key: "NAME" or "HELP".
func (k Kind) String() string {
	if k == Help {
		return "HELP"
	}
	return "NAME"
}

// SplitKey takes a key of [objects] or [text] apart, from the right, since
// symbols hold _ and digits themselves: DEVICE_COUNTER_10_009_NAME is the name
// of DEVICE_COUNTER_10 in language 009. NAME and HELP may be in any case. The
// language is what stands there and may be no language; ok is false where a
// part is missing or empty, or the end is another.
func SplitKey(key string) (symbol, language string, kind Kind, ok bool) {
	p, ok := splitKey([]byte(key))
	if !ok {
		return "", "", Name, false
	}
	return key[:p.language-1], key[p.language:p.suffix], p.kind, true
}

// parts is where a key has its language and the _ behind it.
type parts struct {
	language, suffix int
	kind             Kind
}

func splitKey(key []byte) (p parts, ok bool) {
	p.suffix = bytes.LastIndexByte(key, '_')
	if p.suffix < 0 {
		return p, false
	}
	switch end := key[p.suffix+1:]; {
	case equalFold(end, "name"):
	case equalFold(end, "help"):
		p.kind = Help
	default:
		return p, false
	}
	p.language = bytes.LastIndexByte(key[:p.suffix], '_') + 1
	return p, p.language > 1 && p.language < p.suffix
}

// ValidLanguage reports whether id is three hexadecimal digits.
func ValidLanguage(id string) bool { return validLanguage([]byte(id)) }

func validLanguage(id []byte) bool {
	if len(id) != 3 {
		return false
	}
	for _, c := range id {
		switch {
		case c >= '0' && c <= '9', c >= 'A' && c <= 'F', c >= 'a' && c <= 'f':
		default:
			return false
		}
	}
	return true
}
