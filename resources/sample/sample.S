// The built-in samples as read-only data. Their folder is on the assembler's include path, so that the
// object does not depend on where the project lies.

// Puts a file between the symbols NAMEBegin and NAMEEnd.
.macro embed name, file
    .balign 16
    .globl \name\()Begin
    .hidden \name\()Begin
    .type \name\()Begin, %object
\name\()Begin:
    .incbin "\file"
    .globl \name\()End
    .hidden \name\()End
    .type \name\()End, %object
\name\()End:
    .byte 0
    .size \name\()Begin, \name\()End - \name\()Begin
    .size \name\()End, 1
.endm

    .section .rodata
    embed kEpsilensSample, sample.embedding
    embed kEpsilensPoincareSample, poincare.embedding

    .section .note.GNU-stack, "", %progbits
