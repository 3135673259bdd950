// For the assembler: files as read-only data.

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
