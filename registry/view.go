package registry

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
)

// View is what a registry file contains about performance counters.
type View struct {
	// ControlSet is the key whose services were used: that of Select\Current, otherwise the
	// existing one; "" if the file has none.
	ControlSet string
	// Computer is the name of the machine, "" if the file does not have it.
	Computer  string
	Providers []Provider
	Perflib   *Perflib // nil where the file does not have the key

	anomalies perfdump.Anomalies
	faults    []*perfdump.FormatError
}

// Provider returns the provider of a service, ignoring case, or nil.
func (v *View) Provider(service string) *Provider {
	for i := range v.Providers {
		if strings.EqualFold(v.Providers[i].Service, service) {
			return &v.Providers[i]
		}
	}
	return nil
}

// Anomalies returns what is unusual in the file and in the keys of the view. They belong to
// v.
func (v *View) Anomalies() *perfdump.Anomalies { return &v.anomalies }

// Faults returns the errors that salvage mode skipped.
func (v *View) Faults() iter.Seq[*perfdump.FormatError] { return slices.Values(v.faults) }

const currentSet = "CurrentControlSet"

// controlSet returns the number of a control set by the name of its key; 0 is
// CurrentControlSet.
func controlSet(name string) (n uint64, ok bool) {
	if strings.EqualFold(name, currentSet) {
		return 0, true
	}
	const prefix = "ControlSet"
	if len(name) != len(prefix)+3 || !strings.EqualFold(name[:len(prefix)], prefix) {
		return 0, false
	}
	n, err := strconv.ParseUint(name[len(prefix):], 10, 16)
	return n, err == nil && n > 0
}

// The keys of a view, below the root of a hive or anywhere in a .reg file.
const (
	selectKey    = "Select"
	current      = "Current"
	computerKey  = `Control\ComputerName\ComputerName`
	computerName = "ComputerName"
	servicesKey  = "Services"
	perflibKey   = `Microsoft\Windows NT\CurrentVersion\Perflib`

	performanceKey = "Performance"
	linkageKey     = "Linkage"
	namesKey       = "Names"
)

// Key is a key and its values. Its methods may be called on nil, a missing key.
type Key struct {
	base, rel string

	Values []Value
	// Predefined says that the key is a handle, which an application
	// reads elsewhere: Perflib\009 is served from the perfc009.dat and
	// perfh009.dat files and has no values in a hive.
	Predefined bool
	Line       int   // in a .reg file, from 1; 0 in a hive
	Off        int64 // of the line, or of the key's cell
}

// Path returns the path of the key as the file spells it, in a hive without
// the name of its root.
func (k *Key) Path() string {
	if k == nil {
		return ""
	}
	return k.base + k.rel
}

// Value returns the value with a name, ignoring case, or nil.
func (k *Key) Value(name string) *Value {
	if k == nil {
		return nil
	}
	for i := range k.Values {
		if strings.EqualFold(k.Values[i].Name, name) {
			return &k.Values[i]
		}
	}
	return nil
}

// The limits of a view. A server with every product that registers counters has a few
// hundred providers.
const (
	maxProviders = 1 << 16
	maxValues    = 1 << 18 // of all keys of a view
)
