package registration_test

import (
	"fmt"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
)

func ExampleFiles_Examine() {
	ini := "[info]\ndrivername=Pipe\nsymbolfile=pipe.h\n[languages]\n009=English\n[objects]\nPIPE_009_NAME=\n" +
		"[text]\nPIPE_009_NAME=Pipe\nPIPE_009_HELP=Pipes.\nTHREADS_009_NAME=Threads\nTHREADS_009_HELP=How many.\n"
	h := "#define PIPE 0\n#define THREAD 2\n"

	var files registration.Files
	for _, in := range []*detect.Input{
		{Name: "pipe.ini", Format: detect.INIFile, Data: []byte(ini)},
		{Name: "pipe.h", Format: detect.SymbolH, Data: []byte(h)},
	} {
		if err := files.Add(in, registration.Options{}); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, f := range files.Examine() {
		fmt.Printf("%s %s:%d: %s\n", f.ID, f.File, f.Line, f.Message)
	}
	// Output:
	// E03 pipe.ini:11: THREADS is not in pipe.h, which has THREAD
	// E04 pipe.h:2: THREAD has no NAME for 009 in pipe.ini
}
