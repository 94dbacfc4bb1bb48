/* Generated files include this behind the user's own text, before everything of theirs: a macro of
   the user's with the name of a word of C or of a member of treefork.h's structures would change
   what follows. Nothing of the user's follows. */
#undef char
#undef const
#undef double
#undef else
#undef float
#undef for
#undef if
#undef int
#undef long
#undef return
#undef short
#undef signed
#undef sizeof
#undef static
#undef struct
#undef unsigned
#undef void
#undef uint16_t
#undef f
#undef i
#undef step
#undef u
#undef value
