#ifndef STARPU_SEGMENTS_H
#define STARPU_SEGMENTS_H
/* Bytes of the program's arrays as data of StarPU: segments that do not overlap, each a handle, and
   the processes that have the newest bytes of each. */
#include "starpu/ranks.h"
#include "runtime/treefork-starpu.h"

/* Memory of the host from `begin` up to, not including, `end` is segments from now on, none of
   which reaches over either end. What is new there every process has. Waits for tasks where a
   segment is cut. */
void treefork_segments_cover(char *begin, char *end);
/* Numbers of the segments between, in a covered range: first .. last - 1. They hold until
   segments are covered or forgotten. */
void treefork_segments_between(const char *begin, const char *end, size_t *first, size_t *last);
size_t treefork_segments_count(void);
starpu_data_handle_t treefork_segment_handle(size_t segment);
const char *treefork_segment_place(size_t segment, size_t *bytes);
/* The process gets the newest bytes: a copy is queued if it lacks them. */
void treefork_segment_need(size_t segment, int rank);
/* Only the process has the newest bytes from now on, by a task that is queued next. */
void treefork_segment_wrote(size_t segment, int rank);
/* Every process gets the newest bytes of all segments that reach into the range, and these are
   no data of StarPU any more. begin NULL: all segments. */
void treefork_segments_home(const char *begin, size_t bytes);
/* The same without copies: nobody needs the contents. */
void treefork_segments_forget(const char *begin, size_t bytes);

/* A task has run here, on a worker of any kind. */
void treefork_segments_task(bool is_by_opencl);
struct treefork_starpu_statistics treefork_segments_statistics(void);

#endif
