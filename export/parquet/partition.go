package parquet

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// hive encodes what paths of URLs may hold and those of Hive, and of Windows,
// may not.
var hive = strings.NewReplacer(":", "%3A", "=", "%3D")

// maxName is how long the name of a host is at most: a folder's has 255 bytes.
const maxName = 200

// Partition returns the folder of a row in a tree that is divided by host and
// date, in the form of Hive that DuckDB and Spark read:
// host=web01/date=2020-03-18. What is not known is the word of Hive for it.
// Each folder takes a file of its own.
//
// The name of a host is percent-encoded, as such readers expect, where a system
// could not have it so: Windows drops a dot at the end of a name, and a host may
// be called as Hive calls what is not known. The names that Windows reserves,
// such as CON, are not reserved after host=.
//
// A name that is longer than a folder's may be is cut and ends in ~ and a hash.
func Partition(host string, t time.Time) string {
	const unknown = "__HIVE_DEFAULT_PARTITION__"
	name, date := unknown, unknown
	if host != "" {
		if name = encode(host); len(name) > maxName {
			name = shortened(host)
		}
		if rest, dot := strings.CutSuffix(name, "."); dot {
			name = rest + "%2E"
		}
		if name == unknown {
			name = "%5F" + name[1:]
		}
	}
	if !t.IsZero() {
		date = t.UTC().Format(time.DateOnly)
	}
	return "host=" + name + "/date=" + date
}

func encode(host string) string { return hive.Replace(url.PathEscape(host)) }

// shortened returns the beginning of a host's name and a hash of all of it.
func shortened(host string) string {
	hash := fmt.Sprintf("~%x", sha256.Sum256([]byte(host)))[:17]
	head := host[:min(len(host), maxName)]
	for len(encode(head)) > maxName-len(hash) {
		_, size := utf8.DecodeLastRuneInString(head)
		head = head[:len(head)-size]
	}
	return encode(head) + hash
}
