// The fixed text of reports as read-only data.

#include "embed.inc"

    .section .rodata
    embed kEpsilensReportStyle, style.css
    embed kEpsilensReportProse, prose.txt

    .section .note.GNU-stack, "", %progbits
