//go:build !purego

#include "textflag.h"

// func Prefetch(b []byte)
TEXT ·Prefetch(SB), NOSPLIT, $0-24
	MOVQ b_base+0(FP), AX
	MOVQ b_len+8(FP), CX

line:
	SUBQ $64, CX
	JL   done
	PREFETCHT0 (AX)
	ADDQ $64, AX
	JMP  line

done:
	RET
