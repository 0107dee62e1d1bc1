package bounds_test

import (
	"fmt"
	"strings"
)

// worstRows are the worst of the formats that are values in text.
func worstRows() (all []worst) {
	add := func(name string, f func(n int) []byte) { all = append(all, worst{name: name, make: f}) }

	head := func(columns int, form string) string {
		var b strings.Builder
		b.WriteString(`"(PDH-CSV 4.0) (Pacific Standard Time)(480)"`)
		for i := range columns {
			if strings.Contains(form, "%d") {
				fmt.Fprintf(&b, ","+form, i)
			} else {
				b.WriteString("," + form)
			}
		}
		return b.String() + "\r\n"
	}
	const stamp = `"11/26/2016 13:46:30.874"`
	add("pdhcsv/columns", func(n int) []byte {
		return []byte(head(n/20, `"\\h\P(%d)\C"`) + stamp + "\r\n" + stamp + strings.Repeat(",", n/20) + "\r\n")
	})
	add("pdhcsv/equal columns", func(n int) []byte { return []byte(head(n/12, `"\\h\P\C"`) + stamp + "\r\n") })
	add("pdhcsv/empty columns", func(n int) []byte {
		return []byte(head(1, `"\\h\P\C"`)[:56] + strings.Repeat(",\"\"", n/3) + "\r\n" + "\r\n" + stamp + "\r\n")
	})
	add("pdhcsv/columns and rows", func(n int) []byte { // as many of each
		k := 1
		for k*k < n/8 {
			k *= 2
		}
		return []byte(head(k/2, `"\\h\P(%d)\C"`) + strings.Repeat(stamp+strings.Repeat(`,"1"`, k/2)+"\r\n", k/2))
	})
	add("pdhcsv/many rows of none", func(n int) []byte {
		k := n / 100
		return []byte(head(k, `"\\h\P(%d)\C"`) + strings.Repeat(stamp+"\r\n", n/2/26))
	})
	add("pdhcsv/rows", fill(head(1, `"\\h\P\C"`), stamp+",\"1\"\r\n"))
	add("pdhcsv/rows of times", func(n int) []byte {
		b := []byte(head(1, `"\\h\P\C"`))
		for i := 0; len(b) < n; i++ {
			b = fmt.Appendf(b, "\"11/26/2016 %02d:%02d:%02d.%03d\",\"%d\"\r\n", i/3600000%24, i/60000%60, i/1000%60, i%1000, i)
		}
		return b
	})
	add("pdhcsv/blank rows", fill(head(1, `"\\h\P\C"`), "\r\n"))
	add("pdhcsv/rubbish", fill(head(1, `"\\h\P\C"`), "x\n"))
	add("pdhcsv/long cell", fill(head(1, `"\\h\P\C"`)+stamp+`,"`, "1"))
	add("pdhcsv/quotes", fill(head(1, `"\\h\P\C"`)+stamp+`,"`, `""`))
	add("pdhcsv/long row", fill(head(1, `"\\h\P\C"`)+stamp, ","))
	add("pdhcsv/long name", func(n int) []byte {
		return []byte(head(1, `"\\h\P(`+strings.Repeat("x", n)+`)\C"`) + stamp + ",\"1\"\r\n" + stamp + ",\"2\"\r\n")
	})
	add("pdhcsv/long names", func(n int) []byte {
		return []byte(head(n/2000, `"\\h\P(%d`+strings.Repeat("x", 1000)+`)\C"`) + strings.Repeat(stamp+",\"1\"\r\n", n/2/30))
	})
	add("pdhcsv/parentheses", func(n int) []byte {
		return []byte(head(1, `"\\h\P`+strings.Repeat("(/#", n/3)+`)\C"`) + stamp + ",\"1\"\r\n" + stamp + ",\"2\"\r\n")
	})

	const section = "<<<winperf_x>>>\n1584558341.12 238 10000000\n"
	add("checkmk/sections", fill("", "<<<winperf_x>>>\n1584558341.12 238 10000000\n"))
	add("checkmk/other sections", distinct(section, "<<<winperf_%x>>>\n1584558341.12 238 10000000\n-2 1 counter\n"))
	add("checkmk/counters", distinct(section, "%d 1 counter\n"))
	add("checkmk/one counter", fill(section+"1 instances: a\n", "2 1 counter\n"))
	add("checkmk/instances", func(n int) []byte {
		k := n / 12
		return []byte(section + fmt.Sprint(k) + " instances:" + strings.Repeat(" a", k) + "\n2" + strings.Repeat(" 1", k) + " counter\n4" + strings.Repeat(" 1", k) + " counter\n")
	})
	add("checkmk/short lines of many instances", func(n int) []byte {
		k := n / 4
		return []byte(section + fmt.Sprint(k) + " instances:" + strings.Repeat(" a", k) + "\n" + strings.Repeat("2 1 counter\n", n/2/12))
	})
	add("checkmk/instances again and again", fill(section, "1 instances: a\n2 1 counter\n"))
	add("checkmk/times", func(n int) []byte {
		var b []byte
		for i := 0; len(b) < n; i++ {
			b = fmt.Appendf(b, "<<<winperf_x>>>\n%d.00 238 10000000\n2 %d counter\n", 1584558341+i, i)
		}
		return b
	})
	add("checkmk/times and instances", func(n int) []byte { // others in each section
		var b []byte
		for i := 0; len(b) < n; i++ {
			b = fmt.Appendf(b, "<<<winperf_x>>>\n%d.00 238 10000000\n1 instances: i%d\n2 %d counter\n", 1584558341+i, i, i)
		}
		return b
	})
	add("checkmk/rubbish", fill(section, "x\n"))
	add("checkmk/other agents", fill(section, "<<<x>>>\n"))

	add("aspnet/vector", func(n int) []byte { return make([]byte, n) })
	all[len(all)-1].flags = "--format aspnet:4.x"
	return all
}
