package registry

import "strconv"

// Type is the type of a value of the registry.
type Type uint32

// The types of winnt.h.
const (
	None                     Type = 0
	SZ                       Type = 1
	ExpandSZ                 Type = 2
	Binary                   Type = 3
	DWORD                    Type = 4
	DWORDBigEndian           Type = 5
	Link                     Type = 6
	MultiSZ                  Type = 7
	ResourceList             Type = 8
	FullResourceDescriptor   Type = 9
	ResourceRequirementsList Type = 10
	QWORD                    Type = 11
)

var typeNames = [...]string{
	"REG_NONE", "REG_SZ", "REG_EXPAND_SZ", "REG_BINARY", "REG_DWORD", "REG_DWORD_BIG_ENDIAN", "REG_LINK", "REG_MULTI_SZ",
	"REG_RESOURCE_LIST", "REG_FULL_RESOURCE_DESCRIPTOR", "REG_RESOURCE_REQUIREMENTS_LIST", "REG_QWORD",
}

// String returns the name of winnt.h, the number where it has none.
func (t Type) String() string {
	if int64(t) < int64(len(typeNames)) {
		return typeNames[t]
	}
	return "0x" + strconv.FormatUint(uint64(t), 16)
}

// text reports whether values of the type hold text.
func (t Type) text() bool { return t == SZ || t == ExpandSZ || t == MultiSZ || t == Link }
