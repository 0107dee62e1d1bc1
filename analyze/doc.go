// Package analyze finds what was wrong with a machine in a recording of its
// performance counters, by rules: slow disks, leaks, a full network adapter.
// docs/analyze.md has the form of the rules; [BuiltIn] has some for Windows, .NET,
// IIS, SQL Server, Hyper-V and Exchange.
//
//	a := analyze.New(analyze.BuiltIn(), nil)
//	for f, err := range recording.Frames() {
//		if err != nil {
//			return err
//		}
//		a.Add(f)
//	}
//	for _, report := range a.Reports() {
//		for _, f := range report.Findings {
//			fmt.Println(f.Severity, f.Title, f.Instance, f.Intervals[0].Start)
//		}
//	}
//
// A recording is read once. Memory grows with the number of its series, not with
// its length (TestMemory). No file of rules makes [Parse] panic, and its errors are
// a *perfdump.FormatError with the line (FuzzRules).
package analyze
