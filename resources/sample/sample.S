// The built-in samples as read-only data. Their folder is on the assembler's include path, so that the
// object does not depend on where the project lies.

#include "embed.inc"

    .section .rodata
    embed kEpsilensSample, sample.embedding
    embed kEpsilensPoincareSample, poincare.embedding

    .section .note.GNU-stack, "", %progbits
