package minidump

import (
	"fmt"
	"iter"
	"strings"
)

// FileVersion is the version of a file: major, minor, build, revision.
type FileVersion [4]uint16

// String returns the version as Windows shows it: 4.8.4210.0.
func (v FileVersion) String() string { return fmt.Sprintf("%d.%d.%d.%d", v[0], v[1], v[2], v[3]) }

// Module is a program or library loaded by the process.
type Module struct {
	Base        uint64 // its address
	Size        uint32 // bytes of addresses
	Name        string // usually the path, "" where it cannot be read
	FileVersion FileVersion
	HasVersion  bool // the dump has the version
}

// BaseName returns the name without its folders.
func (m *Module) BaseName() string { return m.Name[strings.LastIndexAny(m.Name, `\/`)+1:] }

// String returns the name without its folders, and the version if the dump has it: clr.dll
// 4.8.4210.0.
func (m *Module) String() string {
	if !m.HasVersion {
		return m.BaseName()
	}
	return m.BaseName() + " " + m.FileVersion.String()
}

// Core reports whether the module is the runtime of .NET Core, or of .NET 5 and later,
// which has no such counters.
func (m *Module) Core() bool { return strings.EqualFold(m.BaseName(), "coreclr.dll") }

// Runtime reports whether the module is a runtime of the .NET Framework, whose counters
// [File.Tables] finds: clr.dll from version 4 on, mscorwks.dll or mscorsvr.dll before.
func (m *Module) Runtime() bool {
	switch strings.ToLower(m.BaseName()) {
	case "clr.dll", "mscorwks.dll", "mscorsvr.dll":
		return true
	default:
		return false
	}
}

// Modules yields the modules in the order of the list. It reads them from the
// file; an error of the reader ends the sequence.
func (f *File) Modules() iter.Seq2[Module, error] {
	return func(yield func(Module, error) bool) {
		names := f.names()
		entries(f, modules, func(e *moduleEntry) (m Module, err error) {
			m = Module{Base: f.canonical(e.BaseOfImage), Size: e.SizeOfImage, HasVersion: e.VersionSignature == versionSignature}
			if m.HasVersion {
				m.FileVersion = FileVersion{uint16(e.FileVersionMS >> 16), uint16(e.FileVersionMS), uint16(e.FileVersionLS >> 16), uint16(e.FileVersionLS)}
			}
			m.Name, err = names.text(e.ModuleNameRva)
			return m, err
		})(yield)
	}
}

func (f *File) readModules(i int, b []byte) error {
	if err := f.simple(modules, i, b, &moduleLevels, moduleEntry{}); err != nil {
		return err
	}
	names := f.names()
	return each(f, modules, func(i, off int64, e *moduleEntry) error {
		path := f.lists[modules].path(i)
		if s := e.VersionSignature; s != 0 && s != versionSignature {
			f.anomaly(codeVersionInfo, off+24, path.Field("VersionSignature"), "signature 0x%x instead of 0x%x: the module has no version", int64(s), versionSignature)
		}
		return names.check(e.ModuleNameRva, off+20, path.Field("ModuleNameRva"))
	})
}
