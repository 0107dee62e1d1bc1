package hexdump

import "github.com/perfdump/perfdump/manifest"

// Manifest returns the document of an instrumentation manifest, line by line.
func Manifest(b []byte, in Input) Document {
	d, ok := Lines(b, in).(*plainLines)
	m, err := manifest.Parse(b, manifest.Options{Mode: in.Mode})
	switch {
	case !ok: // in no encoding that is known
		return Raw(b, err.Error())
	case err != nil:
		d.err = err
	default:
		for _, a := range m.Anomalies().Kept() {
			d.remarks = append(d.remarks, Remark{a.Off, a.Message})
		}
	}
	return d
}
