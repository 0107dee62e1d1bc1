package symbolh_test

import (
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/symbolh"
)

func ExampleParse() {
	f, err := symbolh.Parse([]byte("#define OBJ 0;\n#define CNT 2 // the counter\n#define LAST CNT\n#define BAD 0x10\n"), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for d := range f.Defines() {
		fmt.Println(d.Line, d.Name, d.Value, d.Kind)
	}
	for _, a := range f.Anomalies().Kept() {
		fmt.Println(a.Code, a.Message())
	}
	last, ok := f.Lookup("LAST")
	fmt.Println(last, ok)
	// Output:
	// 1 OBJ 0; decimal
	// 2 CNT 2 decimal
	// 3 LAST CNT alias
	// 4 BAD 0x10 unsupported
	// unsupported-value line 4: the value is hexadecimal; lodctr reads decimal numbers
	// 2 true
}

func ExampleAppendEnum() {
	out, err := symbolh.AppendEnum(nil, "offsets", []symbolh.Symbol{
		{Name: "OBJ", Offset: 0, Title: "My Object"},
		{Name: "CNT", Offset: 2, Title: "Things/sec", Help: "How many things a second."},
	})
	fmt.Printf("%s%v\n", out, err)
	// Output:
	// enum offsets {
	// 	OBJ = 0, /* My Object */
	// 	CNT = 2, /* Things/sec: How many things a second. */
	// };
	// <nil>
}

func ExampleFile_Edit() {
	f, err := symbolh.Parse([]byte("#define OBJ 0 // first\r\n#define CNT 2;\r\n"), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := f.Edit()
	if err := e.Set("CNT", 4); err != nil {
		fmt.Println(err)
		return
	}
	out, _ := e.AppendBinary(nil)
	fmt.Printf("%q\n", out)
	// Output: "#define OBJ 0 // first\r\n#define CNT 4;\r\n"
}
