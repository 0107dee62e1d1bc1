package registry_test

import (
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
)

func ExampleReg_View() {
	r, err := registry.ParseReg([]byte(`REGEDIT4
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\AppMem\Performance]
"Library"="appmem.dll"
"First Counter"=dword:00000738
`), perfdump.Options{})
	if err != nil {
		panic(err)
	}
	v, err := r.View()
	if err != nil {
		panic(err)
	}
	for i := range v.Providers {
		p := &v.Providers[i]
		first, _ := p.Uint32(registry.FirstCounter)
		fmt.Println(p.Service, p.Text(registry.Library), first, p.Value(registry.FirstCounter).Line)
	}
	// Output: AppMem appmem.dll 1848 4
}

func ExampleReg_Edit() {
	r, err := registry.ParseReg([]byte(`REGEDIT4
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\AppMem\Performance]
"Library" = "appmem.dll" ; ours
`), perfdump.Options{})
	if err != nil {
		panic(err)
	}
	const key = `HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\AppMem\Performance`
	e := r.Edit()
	for _, v := range []registry.Value{registry.NewSZ(registry.Library, `C:\appmem.dll`), registry.NewDWORD(registry.FirstCounter, 1848)} {
		if err := e.Set(key, v); err != nil {
			panic(err)
		}
	}
	out, _ := e.AppendBinary(nil)
	fmt.Printf("%s", out)
	// Output:
	// REGEDIT4
	// [HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\AppMem\Performance]
	// "Library" = "C:\\appmem.dll" ; ours
	// "First Counter"=dword:00000738
}

// A .reg file with the names of one language, for a machine that has lost them.
func ExampleNewLanguage() {
	l := registry.NewLanguage("00c")
	l.Values = append(l.Values, registry.NewMultiSZ("Counter", "2", "Système", "4", "Mémoire"))
	file, err := registry.AppendReg(nil, *l.Key)
	if err != nil {
		panic(err)
	}
	r, err := registry.ParseReg(file, perfdump.Options{})
	if err != nil {
		panic(err)
	}
	v, err := r.View()
	if err != nil {
		panic(err)
	}
	for _, l := range v.Perflib.Languages {
		names, _ := l.Value("Counter").Strings()
		fmt.Println(l.ID, l.Path(), names)
	}
	// Output: 00C HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib\00C [2 Système 4 Mémoire]
}
