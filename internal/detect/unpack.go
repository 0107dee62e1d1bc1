package detect

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/perfdump/perfdump"
)

const (
	// HeadSize is how much of an input is looked at to find its format: the
	// second buffer of a log of 64 KiB buffers is within it.
	HeadSize = 128 << 10
	// maxLayers is how many times an input may be packed.
	maxLayers = 2
	// maxWindow bounds the memory of zstd, which allocates a frame's window
	// because the frame says so. All levels up to 20 stay within it.
	maxWindow = 32 << 20
	// What packed data may unpack to, where nothing else is said: so many bytes, or
	// so many times their own size. Logs and hives pack to a fiftieth at the best.
	unpackedSize  = 256 << 20
	unpackedRatio = 200
)

// packing returns the name of what head is packed by, or "".
func packing(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B, 8}):
		return "gzip"
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		return "zstd"
	default:
		return ""
	}
}

// unpack reads the head of the input, through what packs it. cut is called where
// that ends early; nil makes it an error.
func (s *source) unpack(o Options, cut func(error)) error {
	s.r = s.base
	size, limit := s.size, o.maxUnpacked()
	for layers := 0; ; layers++ {
		head := make([]byte, HeadSize)
		n, err := io.ReadFull(s.r, head)
		if err != nil && !ended(err) {
			return err
		}
		s.head, s.whole = head[:n:n], err != nil
		kind := packing(s.head)
		switch {
		case kind == "" && layers == 0:
			if s.base.limit = limit; s.size < 0 && s.base.n > limit {
				return tooLong("", limit) // all of it may be in the head
			}
			return nil
		case kind == "":
			return nil
		case layers == maxLayers:
			return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{},
				"the input is packed more than %d times (%s in %s); unpack it first", maxLayers, kind, s.packed)
		}
		s.size = -1
		if s.packed != "" {
			s.packed += "+"
		}
		s.packed += kind
		l := &layer{packed: kind, limit: o.MaxUnpacked, base: s.base, size: size, cut: cut}
		if err := l.open(io.MultiReader(bytes.NewReader(s.head), s.r)); err != nil {
			return l.explain(err)
		}
		if l.done != nil {
			outer := s.close
			s.close = func() { l.done(); outer() }
		}
		s.r = l
	}
}

// layer is a reader whose errors say what they mean, and which ends with an
// error past its limit.
type layer struct {
	r      io.Reader
	packed string
	limit  int64 // 0 for that of the size of base
	n      int64
	base   *layer // the packed bytes as they come, nil for themselves
	size   int64  // of all of them, or -1
	done   func()
	cut    func(error) // as [Options].Cut
}

func (l *layer) open(r io.Reader) error {
	if l.packed == "gzip" {
		z, err := gzip.NewReader(r)
		l.r = z
		return err
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxWindow)) // of a stream that is its window
	if err != nil {
		return err
	}
	l.r, l.done = z, z.Close
	return nil
}

func (l *layer) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	l.n += int64(n)
	switch {
	case l.n > l.most():
		return 0, tooLong(l.packed, l.most())
	case err == nil || err == io.EOF:
		return n, err
	case l.cut != nil && l.n > 0 && l.damaged(err):
		l.cut(l.explain(err))
		return n, io.EOF
	default:
		return n, l.explain(err)
	}
}

// most returns how many bytes l may give, by what was packed so far or in all.
func (l *layer) most() int64 {
	if l.limit > 0 {
		return l.limit
	}
	return max(unpackedSize, unpackedRatio*max(l.base.n, l.size))
}

// damaged reports whether err is about the packed data themselves, not about the
// layer below them or a limit.
func (l *layer) damaged(err error) bool {
	var fe *perfdump.FormatError
	return l.packed != "" && !errors.As(err, &fe) && !errors.Is(err, zstd.ErrWindowSizeExceeded) && !errors.Is(err, zstd.ErrDecoderSizeExceeded)
}

func (l *layer) explain(err error) error {
	var fe *perfdump.FormatError
	switch {
	case errors.As(err, &fe): // of the layer below
		return fe
	case l.packed == "":
		return ioError(err)
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return perfdump.NewError(perfdump.CodeTruncated, -1, perfdump.Path{},
			"the %s data are cut short, %d bytes unpacked; copy the file again", l.packed, l.n)
	case errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{},
			"the zstd data need a window above the limit of %d bytes; unpack them by zstd -d --long=31 and pipe them in", maxWindow)
	default:
		return ioError(fmt.Errorf("the %s data are damaged after %d unpacked bytes: %w; copy the file again", l.packed, l.n, err))
	}
}

func tooLong(packed string, limit int64) error {
	if packed == "" {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{},
			"the input is longer than the limit of %d bytes; raise it by --max-unpacked", limit)
	}
	return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{},
		"the %s data unpack to more than the limit of %d bytes; if you trust them, allow more by --max-unpacked SIZE, as --max-unpacked 10GiB", packed, limit)
}
