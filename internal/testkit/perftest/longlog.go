package perftest

import (
	"encoding/binary"
	"io"
)

// LongLog is a binary log of any size that is computed as it is read: the first
// buffers of a log, and then the rest of it again and again, each round later
// than the one before. It holds no more than one round.
type LongLog struct {
	Size   int64 // of whole rounds
	Rounds int64

	head  []byte
	round []byte
	times []int // places in round of the times of samples
	span  int64
	at    int64 // of Read
}

// NewLongLog makes a log of about size bytes of one whose first so many buffers
// hold its header and its items. A round takes span, in units of 100 ns.
func NewLongLog(b []byte, buffers int, span, size int64) *LongLog {
	const (
		sample = 0x22
		header = 0x48
	)
	stride := int(binary.LittleEndian.Uint32(b))
	l := &LongLog{head: b[:buffers*stride], round: b[buffers*stride:], span: span}
	for at := 0; at < len(l.round); at += stride {
		end := at + int(binary.LittleEndian.Uint32(l.round[at+0x30:]))
		for p := at + header; p+8 <= end; {
			if l.round[p+4] == sample {
				l.times = append(l.times, p+0x10)
			}
			p += (int(binary.LittleEndian.Uint16(l.round[p:])) + 7) &^ 7
		}
	}
	l.Rounds = size / int64(len(l.round))
	l.Size = int64(len(l.head)) + l.Rounds*int64(len(l.round))
	return l
}

// ReadAt computes what is asked for. Whoever reads must not cut a time in two,
// as no reader of whole buffers does.
func (l *LongLog) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) && off < l.Size {
		if off < int64(len(l.head)) {
			k := copy(p[n:], l.head[off:])
			n, off = n+k, off+int64(k)
			continue
		}
		round, at := (off-int64(len(l.head)))/int64(len(l.round)), int((off-int64(len(l.head)))%int64(len(l.round)))
		k := copy(p[n:], l.round[at:])
		for _, i := range l.times {
			if i >= at && i+8 <= at+k {
				b := p[n+i-at:]
				binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+uint64(round*l.span))
			}
		}
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Read reads on from where it was.
func (l *LongLog) Read(p []byte) (int, error) {
	n, err := l.ReadAt(p, l.at)
	l.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}
