//go:build !purego

#include "textflag.h"

// BYTES defines sixteen equal bytes.
#define BYTES(name, x) \
	DATA name<>+0(SB)/8, $x \
	DATA name<>+8(SB)/8, $x \
	GLOBL name<>(SB), RODATA|NOPTR, $16

BYTES(blank, 0x2020202020202020)
BYTES(fromA, 0x1f1f1f1f1f1f1f1f)   // moves 'a' to the least signed byte
BYTES(pastZ, 0x9a9a9a9a9a9a9a9a)   // the byte after the one that 'z' is moved to
BYTES(newline, 0x0a0a0a0a0a0a0a0a)
BYTES(tab, 0x0909090909090909)
BYTES(one, 0x0101010101010101)
BYTES(printed, 0x2121212121212121) // ' ', the first byte that is printed, and one

// PART looks at the 16 bytes at off: R8 has those that are ASCII letters, R9 newlines, R10 control
// characters but tabs and newlines, or not ASCII, R11 not ASCII, and R12 those with the bit of
// small letters.
#define PART(off) \
	MOVOU off(SI), X0; \
	MOVO X0, X1;       \
	POR X8, X1;        \
	PADDB X9, X1;      \
	MOVO X10, X2;      \
	PCMPGTB X1, X2;    \
	PMOVMSKB X2, R8;   \
	MOVO X0, X3;       \
	PCMPEQB X11, X3;   \
	PMOVMSKB X3, R9;   \
	MOVO X0, X4;       \
	PCMPEQB X12, X4;   \
	POR X3, X4;        \
	MOVO X0, X5;       \
	PADDB X13, X5;     \
	MOVO X14, X6;      \
	PCMPGTB X5, X6;    \
	PANDN X6, X4;      \
	PMOVMSKB X4, R10;  \
	PMOVMSKB X0, R11;  \
	PSLLW $2, X0;      \
	PMOVMSKB X0, R12

// GATHER adds what PART(off) found to AX, BX, CX, DX and DI.
#define GATHER(off) \
	SHLQ $off, R8;  \
	SHLQ $off, R9;  \
	SHLQ $off, R10; \
	SHLQ $off, R11; \
	SHLQ $off, R12; \
	ORQ R8, AX;     \
	ORQ R9, BX;     \
	ORQ R10, CX;    \
	ORQ R11, DX;    \
	ORQ R12, DI

// func classify(b *[blockRoom]byte) (letters, newlines, odd, high, capitals uint64)
TEXT ·classify(SB), NOSPLIT, $0-48
	MOVQ b+0(FP), SI
	MOVOU blank<>(SB), X8
	MOVOU fromA<>(SB), X9
	MOVOU pastZ<>(SB), X10
	MOVOU newline<>(SB), X11
	MOVOU tab<>(SB), X12
	MOVOU one<>(SB), X13
	MOVOU printed<>(SB), X14
	PART(0)
	MOVQ R8, AX
	MOVQ R9, BX
	MOVQ R10, CX
	MOVQ R11, DX
	MOVQ R12, DI
	PART(16)
	GATHER(16)
	PART(32)
	GATHER(32)
	PART(48)
	GATHER(48)
	NOTQ DI
	ORQ DX, DI
	ORQ DX, AX
	MOVQ DX, R8
	NOTQ R8
	ANDQ R8, CX
	MOVQ AX, letters+8(FP)
	MOVQ BX, newlines+16(FP)
	MOVQ CX, odd+24(FP)
	MOVQ DX, high+32(FP)
	MOVQ DI, capitals+40(FP)
	RET
