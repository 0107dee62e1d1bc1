package parquet

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// Options say how files are written.
type Options struct {
	Columns     []string          // on request, as csv and jsonl have them
	Compression string            // one of [Compressions]; "" is zstd
	Metadata    map[string]string // of the file, such as what wrote it and its source
}

// Compressions returns the names of the ways to compress, the usual one first.
func Compressions() []string { return []string{"zstd", "snappy", "none"} }

func (o Options) codec() (compress.Codec, error) {
	switch o.Compression {
	case "", "zstd":
		return newZstdCodec()
	case "snappy":
		return &pq.Snappy, nil
	case "none":
		return &pq.Uncompressed, nil
	}
	return nil, fmt.Errorf("no compression %q: there are %s", o.Compression, strings.Join(Compressions(), ", "))
}

func (o Options) writer() ([]pq.WriterOption, error) {
	codec, err := o.codec()
	if err != nil {
		return nil, err
	}
	all := []pq.WriterOption{
		pq.Compression(codec), pq.CreatedBy("perfdump", "", ""), pq.DataPageStatistics(true), pq.MaxRowsPerRowGroup(groupRows),
	}
	for _, key := range slices.Sorted(maps.Keys(o.Metadata)) {
		all = append(all, pq.KeyValueMetadata(key, o.Metadata[key]))
	}
	return all, nil
}
