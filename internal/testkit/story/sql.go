package story

import (
	"time"
)

const (
	gb = 1 << 30
	mb = 1 << 20
)

// The troubles of SRV-SQL-01.
var (
	backupFrom, backupTo   = at(10, 2, 0), at(10, 19, 0)
	gapFrom, gapTo         = at(11, 20, 0), at(11, 24, 0)
	burstFrom, burstTo     = at(12, 40, 0), at(12, 52, 0)
	restarted              = at(13, 5, 0)
	copyFrom, copyTo       = at(14, 30, 0), at(14, 50, 0)
	leakFrom, leakTo       = day, at(16, 0, 0)
	sqlInterval            = 15 * time.Second
	leakHandles, leakBytes = 28_800.0, 2350.0 * mb
)

// hours are the load of a business day from 8 o'clock on, as a part of the peak.
var hours = []float64{0.25, 0.7, 0.85, 0.9, 0.55, 0.6, 0.85, 0.8, 0.4}

// business is the load at a moment.
func business(t time.Time) float64 {
	x := max(0, t.Sub(day).Hours()) // it was up before
	i := max(0, min(int(x), len(hours)-2))
	return hours[i] + (hours[i+1]-hours[i])*(x-float64(i))
}

// SQL returns the recording of SRV-SQL-01: four processors, 16 GB, eight hours.
func SQL() *Recording {
	r := &Recording{Machine: "SRV-SQL-01", Start: day, End: at(16, 0, 0), Interval: sqlInterval.Seconds(), Troubles: []Trouble{
		trouble("slow disk", "1 D:", backupFrom.Add(sqlInterval), backupTo),
		trouble("no samples", "", gapFrom, gapTo),
		trouble("one core busy", "PdfExport", burstFrom.Add(sqlInterval), burstTo),
		trouble("restart", "w3wp#1", restarted.Add(sqlInterval), restarted.Add(sqlInterval)),
		trouble("network full", adapter, copyFrom.Add(sqlInterval), copyTo),
		trouble("leak", "OrderSync", leakFrom, leakTo),
	}}
	s := &server{
		name: r.Machine, cores: 4, ram: 16 * gb, limit: 24 * gb, interval: sqlInterval, load: business, sql: true, seed: 17,
		missing: func(t time.Time) bool { return t.After(gapFrom) && t.Before(gapTo) },
		procs: []*proc{
			{name: "System", pid: 4, cpu: 2, busy: 7, kernel: 1, handles: 3180, threads: 196, private: 0.2 * mb, working: 0.3 * mb},
			{name: "smss", pid: 388, handles: 53, threads: 2, private: 0.5 * mb, working: 1.2 * mb},
			{name: "csrss", pid: 512, handles: 620, threads: 11, private: 2.1 * mb, working: 5 * mb, cpu: 0.1},
			{name: "wininit", pid: 588, handles: 160, threads: 2, private: 1.4 * mb, working: 6.8 * mb},
			{name: "services", pid: 676, handles: 705, threads: 9, private: 5.6 * mb, working: 9.8 * mb, cpu: 0.2},
			{name: "lsass", pid: 688, handles: 1710, threads: 11, private: 12 * mb, working: 24 * mb, cpu: 0.3, busy: 1},
			{name: "svchost", pid: 804, handles: 1320, threads: 20, private: 14 * mb, working: 31 * mb, cpu: 0.2},
			{name: "svchost", pid: 932, handles: 1080, threads: 14, private: 9 * mb, working: 16 * mb, cpu: 0.1},
			{name: "svchost", pid: 1056, handles: 2240, threads: 47, private: 48 * mb, working: 66 * mb, cpu: 0.4, busy: 1},
			{name: "spoolsv", pid: 1520, handles: 470, threads: 8, private: 6 * mb, working: 15 * mb},
			{name: "MsMpEng", pid: 2204, handles: 890, threads: 31, private: 188 * mb, working: 164 * mb, cpu: 1, busy: 5, kernel: 0.3, read: 90_000},
			{name: "sqlservr", pid: 2868, handles: 2105, threads: 118, private: 8.6 * gb, working: 8.4 * gb, cpu: 4, busy: 128, noise: 0.17, kernel: 0.12, read: 40_000, reads: 3.1e6, writes: 1.6e6},
			{name: "SQLAGENT", pid: 3012, handles: 440, threads: 19, private: 31 * mb, working: 38 * mb, cpu: 0.2},
			{name: "WmiPrvSE", pid: 3344, handles: 318, threads: 9, private: 19 * mb, working: 27 * mb, cpu: 0.8},
			{name: "w3wp", pid: 4120, handles: 980, threads: 42, private: 410 * mb, working: 436 * mb, cpu: 1, busy: 34, noise: 0.3, kernel: 0.1},
			{name: "w3wp", pid: 5316, handles: 760, threads: 36, private: 280 * mb, working: 301 * mb, cpu: 1, busy: 15, noise: 0.3, kernel: 0.1, until: restarted},
			{name: "w3wp", pid: 7844, handles: 742, threads: 35, private: 264 * mb, working: 288 * mb, cpu: 1, busy: 15, noise: 0.3, kernel: 0.1, from: restarted.Add(sqlInterval)},
			{name: "OrderSync", pid: 4588, handles: 1200, threads: 23, private: 150 * mb, working: 168 * mb, cpu: 1, busy: 4, grow: func(t time.Time) (float64, float64) {
				x := t.Sub(leakFrom).Hours() / leakTo.Sub(leakFrom).Hours()
				return leakHandles * x, leakBytes * x
			}},
			{name: "PdfExport", pid: 4904, handles: 232, threads: 7, private: 64 * mb, working: 71 * mb, cpu: 0.2, burst: func(t time.Time) bool { return during(t, burstFrom, burstTo) }},
			{name: "BackupAgent", pid: 3660, handles: 512, threads: 26, private: 92 * mb, working: 104 * mb, cpu: 0.3, kernel: 0.5, work: func(t time.Time) (float64, float64, float64) {
				if during(t, backupFrom, backupTo) {
					return 34, 95e6, 24e6
				}
				return 0, 0, 0
			}},
			{name: "robocopy", pid: 8216, handles: 140, threads: 9, private: 9 * mb, working: 17 * mb, cpu: 3, kernel: 0.8, from: copyFrom, until: copyTo, work: func(time.Time) (float64, float64, float64) { return 12, 112.5e6, 112.5e6 }},
			{name: "perfmon", pid: 6032, handles: 402, threads: 12, private: 28 * mb, working: 41 * mb, cpu: 0.5},
		},
	}
	r.Log = s.record(r.Start, r.End)
	return r
}

func trouble(what, instance string, from, to time.Time) Trouble {
	return Trouble{what, instance, from.UTC(), to.UTC(), from.Format(time.TimeOnly) + " to " + to.Format(time.TimeOnly) + " " + from.Format("-07:00")}
}
