package story

import "time"

// Quiet returns the recording of SRV-QUIET-01: two processors, 8 GB, twelve hours,
// and nothing wrong: once an hour an idle disk takes 30 ms for a read, and now and
// then a processor is busy for one sample.
func Quiet() *Recording {
	const interval = 30 * time.Second
	r := &Recording{Machine: "SRV-QUIET-01", Start: day, End: at(20, 0, 0), Interval: interval.Seconds(), Troubles: []Trouble{}}
	s := &server{
		name: r.Machine, cores: 2, ram: 8 * gb, limit: 10 * gb, interval: interval, load: func(time.Time) float64 { return 0.02 }, seed: 5,
		missing: func(time.Time) bool { return false },
		wobble:  func(t time.Time) bool { return t.Minute() == 30 && t.Second() == 0 },
		procs: []*proc{
			{name: "System", pid: 4, cpu: 0.6, kernel: 1, handles: 2210, threads: 128, private: 0.2 * mb, working: 0.3 * mb},
			{name: "csrss", pid: 476, handles: 410, threads: 10, private: 2 * mb, working: 5 * mb},
			{name: "services", pid: 620, handles: 590, threads: 8, private: 5 * mb, working: 9 * mb, cpu: 0.1},
			{name: "lsass", pid: 632, handles: 1240, threads: 9, private: 8 * mb, working: 17 * mb, cpu: 0.1},
			{name: "svchost", pid: 780, handles: 1010, threads: 17, private: 11 * mb, working: 25 * mb, cpu: 0.2},
			{name: "svchost", pid: 896, handles: 1620, threads: 39, private: 37 * mb, working: 52 * mb, cpu: 0.3},
			{name: "MsMpEng", pid: 1788, handles: 760, threads: 28, private: 141 * mb, working: 119 * mb, cpu: 0.7, kernel: 0.3, read: 20_000, burst: func(t time.Time) bool {
				return t.Minute()%20 == 7 && t.Second() == 0
			}},
			{name: "perfmon", pid: 3120, handles: 380, threads: 11, private: 26 * mb, working: 39 * mb, cpu: 0.4},
		},
	}
	r.Log = s.record(r.Start, r.End)
	return r
}
