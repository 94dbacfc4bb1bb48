#ifndef METAFORK_H
#define METAFORK_H
/* The annotations of MetaFork. Under an ordinary compiler they disappear and the file is its own serial reference;
   `treefork` parses the same file with __TREEFORK__ defined and sees labels and marks instead (frontend/README.md). */

#ifndef __TREEFORK__
#define meta_schedule
#define meta_for for
#define cache(...)
#endif

#endif
