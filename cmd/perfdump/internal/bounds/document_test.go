package bounds_test

import (
	"fmt"
	"strings"
)

func worstDocuments() (all []worst) {
	add := func(name string, f func(n int) []byte) { all = append(all, worst{name: "document/" + name, make: f}) }
	const block = `{"format":"perfdata","blocks":[{"offset":0,"wire":{}`
	add("deep", fill(block+`,"x":`, "["))
	add("deep objects", fill(block+`,"x":`, `{"a":`))
	add("long string", fill(`{"format":"perfdata","file":"`, "x"))
	add("escapes", fill(`{"format":"perfdata","file":"`, `\u4e00`))
	add("spaces", fill(`{"format":"perfdata"`, " "))
	add("unknown keys", distinct(`{"format":"perfdata"`, `,"k%x":0`))
	add("objects", func(n int) []byte {
		return []byte(block + `,"objects":[{"index":2}` + strings.Repeat(`,{"index":2}`, n/12) + `]}]}`)
	})
	add("counters", func(n int) []byte {
		return []byte(block + `,"objects":[{"index":2,"counters":[{"index":2}` + strings.Repeat(`,{"index":2}`, n/12) + `]}]}]}`)
	})
	add("instances", func(n int) []byte {
		return []byte(block + `,"objects":[{"index":2,"counters":[{"index":2,"type":"PERF_COUNTER_RAWCOUNT"}],"instances":[{"name":"a","values":[1]}` + strings.Repeat(`,{"name":"a","values":[1]}`, n/26) + `]}]}]}`)
	})
	add("empty instances", fill(block+`,"objects":[{"index":2,"instances":[{}`, `,{}`))
	add("instances before their counters", func(n int) []byte {
		return []byte(block + `,"objects":[{"index":2,"instances":[{"unique_id":1}` + strings.Repeat(`,{"unique_id":1}`, n/16) + `],"counters":[]}]}]}`)
	})
	add("values before their counters", func(n int) []byte {
		return []byte(block + `,"objects":[{"index":2,"instances":[{"values":[1` + strings.Repeat(`,1`, n/2) + `]}],"counters":[]}]}]}`)
	})
	add("values", func(n int) []byte {
		return []byte(block + `,"objects":[{"index":2,"counters":[{"index":2,"type":"PERF_COUNTER_RAWCOUNT"}],"instances":[{"name":"a","values":[1` + strings.Repeat(`,1`, n/2) + `]}]}]}]}`)
	})
	add("blocks", func(n int) []byte {
		return []byte(`{"format":"perfdata","blocks":[{}` + strings.Repeat(`,{}`, n/3) + `]}`)
	})
	add("gaps", func(n int) []byte {
		var b strings.Builder
		b.WriteString(block + `}],"gaps":[{"offset":88,"zero":1}`)
		for i := 89; b.Len() < n; i++ {
			fmt.Fprintf(&b, `,{"offset":%d,"hex":"01"}`, i)
		}
		return []byte(b.String() + "]}")
	})
	add("gaps backwards", func(n int) []byte {
		var b strings.Builder
		b.WriteString(block + `}],"gaps":[{"offset":88,"zero":1}`)
		for i := n; b.Len() < n; i-- {
			fmt.Fprintf(&b, `,{"offset":%d,"hex":"01"}`, i)
		}
		return []byte(b.String() + "]}")
	})
	add("gaps over gaps", func(n int) []byte {
		return []byte(block + `}],"gaps":[{"offset":88,"zero":1000000000}` + strings.Repeat(`,{"offset":88,"zero":1000000000}`, n/32) + `,{"offset":200,"hex":"01"}]}`)
	})
	add("hex", func(n int) []byte {
		return []byte(block + `}],"gaps":[{"offset":88,"hex":"` + strings.Repeat("00", n/2) + `"}]}`)
	})
	add("titles", distinct(`{"format":"titles","entries":[{"index":"2","text":"a"}`, `,{"index":"%d","text":""}`))
	add("chunks", fill(`{"format":"ipcblock","chunks":[{}`, `,{}`))
	return all
}
