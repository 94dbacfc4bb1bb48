/* What a page consists of beside its data, as it lies in page/browser/ and comes from page/engine/.
   Each is a text that ends with a NUL, and an engine with a length. */
    .section .rodata
    .macro asset name:req, file:req
    .global \name
\name:
    .incbin "\file"
    .byte 0
    .endm

    asset page_frame, "page/browser/page.html"
    asset page_style, "page/browser/page.css"
    asset page_script, PAGE_SCRIPT
    .global page_engine
page_engine:
    .incbin PAGE_ENGINE
    .global page_engine_end
page_engine_end:
    .byte 0
    .section .note.GNU-stack, "", @progbits
