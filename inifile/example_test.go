package inifile_test

import (
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
)

const sample = `[info]
drivername = MyApp
symbolfile = myapp.h
; English only
[languages]
009 = English
[text]
OBJ_009_NAME = My Object
OBJ_009_HELP = # of things; all of them
`

func ExampleParse() {
	f, err := inifile.Parse([]byte(sample), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.DriverName(), f.SymbolFile(), f.Trusted(), f.HasObjects())
	for t := range f.Texts() {
		fmt.Println(t.Line, t.Symbol, t.Language, t.Kind, t.Text)
	}
	// Output:
	// MyApp myapp.h false false
	// 8 OBJ 009 NAME My Object
	// 9 OBJ 009 HELP # of things; all of them
}

func ExampleFile_Edit() {
	f, err := inifile.Parse([]byte(sample), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := f.Edit()
	if err := e.Set("info", "DRIVERNAME", "Other"); err != nil {
		fmt.Println(err)
		return
	}
	out, _ := e.AppendBinary(nil)
	fmt.Printf("%s", out[:len("[info]\ndrivername = Other\nsymbolfile")])
	// Output:
	// [info]
	// drivername = Other
	// symbolfile
}

func ExampleFile_INI() {
	f, err := inifile.Parse([]byte(sample), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	view, err := f.INI()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(view.Section("text").Key("obj_009_help").Value())
	// Output: # of things; all of them
}

func ExampleRegistration_AppendBinary() {
	r := inifile.Registration{
		DriverName: "MyApp",
		SymbolFile: "myapp.h",
		Languages:  []inifile.Language{{ID: "009", Name: "English"}},
		Texts:      []inifile.Text{{Symbol: "OBJ", Language: "009", Kind: inifile.Name, Text: "My Object"}},
	}
	b, err := r.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := inifile.Parse(b, perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Encoding(), f.DriverName(), f.NumLines())
	// Output: utf-16le-bom MyApp 9
}
