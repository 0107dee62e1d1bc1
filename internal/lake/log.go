package lake

import (
	"errors"
	"io"
	"time"

	"github.com/perfdump/perfdump/blg"
)

// ends opens the first and the last bytes of a log, whose records are at least its first and
// its last one. If these do not say how the log is, as in one that is not in order of time,
// it opens all of it, and Head stays 0.
func (in *Input) ends(r io.ReaderAt, size int64, o Options) (*blg.File, error) {
	for n := o.near(); 2*n < size; n *= 2 {
		f, err := blg.OpenParts(r, size, []blg.Part{{To: n}, {From: size - n, To: size}}, o.log())
		if err != nil || f.Shuffled() {
			break
		}
		first, last := false, false
		for rec, err := range f.Records() {
			if err != nil {
				return nil, err
			}
			first = first || rec.FileOffset() < n
			last = rec.FileOffset() >= n
		}
		if !first || !last || len(f.Items()) == 0 {
			continue
		}
		in.Head = n
		if !f.InOrder() {
			in.Tail = size - n
		}
		return f, nil
	}
	return blg.Open(r, size, o.log())
}

// cut cuts a long log into pieces of about n bytes. A log is not cut if the times of its
// samples do not go up from cut to cut, or if only the zone of its header says what they
// are in UTC: they may be ambiguous.
func (in *Input) cut(r io.ReaderAt, n int64, o Options) {
	whole := len(in.Cuts)
	last := in.Cuts[whole-1]
	if last.Time.IsZero() {
		last.Time = in.Start
	}
	for off := last.Off + n; off < in.Size-n/2; off += n {
		c, err := in.next(r, off, time.Time{}, o)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil || c.Time.Before(last.Time) || c.Time.After(in.End) {
			in.Cuts = in.Cuts[:whole]
			return
		}
		if c.Time.After(last.Time) {
			in.Cuts = append(in.Cuts, c)
			last = c
		}
	}
}

// next returns a cut at the first sample from an offset on that is after a time, or io.EOF.
func (in *Input) next(r io.ReaderAt, off int64, after time.Time, o Options) (Cut, error) {
	for n := o.near(); ; n *= 2 {
		f, err := blg.OpenParts(r, in.Size, in.parts(off, off+n), o.log())
		if err != nil {
			return Cut{}, err
		}
		for rec, err := range f.Records() {
			switch {
			case err != nil:
				return Cut{}, err
			case rec.FileOffset() < off || !rec.Time().After(after):
			case rec.Source == blg.OffsetZone || f.Shuffled():
				return Cut{}, errNoCut
			default:
				return Cut{Off: rec.FileOffset(), Time: rec.Time(), Hash: in.Hash}, nil
			}
		}
		if off+n >= in.Size {
			return Cut{}, io.EOF
		}
	}
}

var errNoCut = errors.New("the log cannot be cut here")

// parts are what is read of a log for the samples in a range of it.
func (in *Input) parts(from, to int64) (parts []blg.Part) {
	if from > in.Head {
		parts = append(parts, blg.Part{To: in.Head, Lists: true})
	} else {
		from = 0
	}
	parts = append(parts, blg.Part{From: from, To: to})
	if in.Tail > 0 && to < in.Size {
		parts = append(parts, blg.Part{From: in.Tail, To: in.Size, Lists: true})
	}
	return parts
}

// grow makes in a known log that has become longer: its pieces stay, and another one goes on
// after its last sample. If that piece had a failure it is read again, as the log may have
// been cut off there.
func (in *Input) grow(r io.ReaderAt, known *Input, o Options) (err error) {
	was := *in
	defer func() {
		if err != nil {
			*in = was
		}
	}()
	*in = *known.clone()
	in.Size, in.MTime, in.Hash, in.Full = was.Size, was.MTime, was.Hash, was.Full
	if in.Body, err = bodyOf(r, in.Size); err != nil {
		return err
	}
	if err := in.identifyLog(r, in.Size, o); err != nil || in.Recording != known.Recording || in.Head == 0 || in.Tail > 0 || !in.Start.Equal(known.Start) {
		return errors.Join(err, errNoCut)
	}
	last := &in.Cuts[len(in.Cuts)-1]
	if last.Code != "" {
		*last = Cut{Off: last.Off, Time: last.Time, Hash: in.Hash}
	} else if in.End.After(known.End) {
		c, err := in.next(r, max(0, known.Size-o.near()), known.End, o)
		if err != nil {
			return err
		}
		in.Cuts = append(in.Cuts, c)
	}
	in.cut(r, o.piece(), o)
	return nil
}
