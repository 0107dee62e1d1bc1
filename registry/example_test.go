package registry_test

import (
	"fmt"

	"github.com/perfdump/perfdump/registry"
)

func ExampleReg_View() {
	r, err := registry.ParseReg([]byte(`REGEDIT4
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\AppMem\Performance]
"Library"="appmem.dll"
"First Counter"=dword:00000738
`), registry.Options{})
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
`), registry.Options{})
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
