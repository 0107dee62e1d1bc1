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

func fileVersion(ms, ls uint32) FileVersion {
	return FileVersion{uint16(ms >> 16), uint16(ms), uint16(ls >> 16), uint16(ls)}
}

// Module is a program or library that the process had loaded.
type Module struct {
	Base           uint64 // its address
	Size           uint32 // bytes of addresses
	CheckSum       uint32 // of its file
	TimeDateStamp  uint32 // of its file, Unix time as a rule
	Name           string // the path as a rule, "" where it cannot be read
	FileVersion    FileVersion
	ProductVersion FileVersion
	HasVersion     bool // the dump has the versions
}

// BaseName returns the name without its folders.
func (m *Module) BaseName() string { return m.Name[strings.LastIndexAny(m.Name, `\/`)+1:] }

// String returns the name without its folders, and the version where the dump
// has it: clr.dll 4.8.4210.0.
func (m *Module) String() string {
	if !m.HasVersion {
		return m.BaseName()
	}
	return m.BaseName() + " " + m.FileVersion.String()
}

// Core reports whether the module is the runtime of .NET Core, or of .NET 5 and
// later, which keeps no such counters.
func (m *Module) Core() bool { return strings.EqualFold(m.BaseName(), "coreclr.dll") }

// Runtime reports whether the module is a runtime of the .NET Framework, which
// keeps the counters that [File.Tables] is for: clr.dll, from version 4 on, or
// mscorwks.dll and mscorsvr.dll before.
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
		if f.modules.n == 0 {
			return
		}
		names := f.names()
		var failed error
		err := f.each(f.modules, moduleSize, func(_, _ int64, b []byte) bool {
			var e moduleEntry
			e.load(b)
			m := Module{
				Base: f.Canonical(e.BaseOfImage), Size: e.SizeOfImage, CheckSum: e.CheckSum, TimeDateStamp: e.TimeDateStamp,
				HasVersion: e.VersionSignature == versionSignature,
			}
			if m.HasVersion {
				m.FileVersion = fileVersion(e.FileVersionMS, e.FileVersionLS)
				m.ProductVersion = fileVersion(e.ProductVersionMS, e.ProductVersionLS)
			}
			if m.Name, failed = names.text(e.ModuleNameRva); failed != nil {
				return false
			}
			return yield(m, nil)
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			yield(Module{}, err)
		}
	}
}

func (f *File) readModules() error {
	var err error
	if f.modules, err = f.simple(ModuleListStream, &moduleLevels, moduleSize); err != nil || f.modules.n == 0 {
		return err
	}
	names := f.names()
	var failed error
	err = f.each(f.modules, moduleSize, func(i, off int64, b []byte) bool {
		var e moduleEntry
		e.load(b)
		path := f.modules.path(i)
		if s := e.VersionSignature; s != 0 && s != versionSignature {
			f.anomaly(CodeVersionInfo, off+24, path.Field("VersionSignature"), "signature 0x%x, not 0x%x: the module has no version", int64(s), versionSignature)
		}
		failed = names.check(e.ModuleNameRva, off+20, path.Field("ModuleNameRva"))
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	return err
}
