// The built-in sample as read-only data. Its folder is on the assembler's include path, so that the
// object does not depend on where the project lies.
    .section .rodata
    .balign 16
    .globl kEpsilensSampleBegin
    .hidden kEpsilensSampleBegin
    .type kEpsilensSampleBegin, %object
kEpsilensSampleBegin:
    .incbin "sample.embedding"
    .globl kEpsilensSampleEnd
    .hidden kEpsilensSampleEnd
    .type kEpsilensSampleEnd, %object
kEpsilensSampleEnd:
    .byte 0
    .size kEpsilensSampleBegin, kEpsilensSampleEnd - kEpsilensSampleBegin
    .size kEpsilensSampleEnd, 1

    .section .note.GNU-stack, "", %progbits
