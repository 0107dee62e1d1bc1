package pdhpath_test

import (
	"fmt"

	"github.com/perfdump/perfdump/pdhpath"
)

func ExampleParse() {
	p, err := pdhpath.Parse(`\\web01\Thread(sqlservr/12#3)\% Processor Time`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s | %s | %s | %s | %d | %s\n", p.Machine, p.Object, p.Parent, p.Instance, p.Index, p.Counter)

	_, err = pdhpath.Parse(`\Processor(_Total)`)
	fmt.Println(err)
	// Output:
	// web01 | Thread | sqlservr | 12 | 3 | % Processor Time
	// counter path "\\Processor(_Total)": no counter: want \object(instance)\counter (offset 0x12)
}

func ExampleCompile() {
	p, err := pdhpath.Compile(`\Process(sql*)\% Processor Time`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.MatchObject("PROCESS"), p.MatchInstance("", "sqlservr", 1), p.MatchInstance("", "mysql", 0))
	// Output: true true false
}

// An index asks the few of many patterns that may be for a path; each of these
// has the last word.
func ExampleNewIndex() {
	var patterns []*pdhpath.Pattern
	for i := range 1000 {
		p, err := pdhpath.Compile(fmt.Sprintf(`\Process(worker#%d)\*`, i))
		if err != nil {
			fmt.Println(err)
			return
		}
		patterns = append(patterns, p)
	}
	index := pdhpath.NewIndex(patterns)

	path := pdhpath.Path{Object: "Process", Instance: "worker", Index: 17, HasInstance: true, Counter: "ID Process"}
	found := map[int]bool{}
	index.Each(path, func(i int) {
		if patterns[i].Match(path) {
			found[i] = true
		}
	})
	fmt.Println(found)
	// Output: map[17:true]
}

func ExamplePath_String() {
	fmt.Println(pdhpath.Path{Machine: "host", Object: "Process", Instance: "svchost", Index: 2, HasInstance: true, Counter: "ID Process"})
	// Output: \\host\Process(svchost#2)\ID Process
}
