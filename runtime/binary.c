/* Binaries of programs: from the cache on disk, else compiled and kept there. In: a launch and the
   text chosen for it; out: the driver's program. The key is everything that decides the binary: the
   text itself, what the driver adds (device, versions of driver and compiler, options with the
   values bound), and the format of the cache. Invariant: no step of the cache fails a launch; a
   binary that the driver refuses is compiled anew and replaced.
   Drivers of CPUs compile a kernel when it is launched, so that the binary of a program is taken
   after its first launch, if compiling did not give it. It is not left for the end of the process:
   a driver that compiles in an exit handler may meet compilers that are torn down already. */
#include "runtime/internal.h"
#include "runtime/waiting.h"
#include <stdlib.h>
#include <string.h>

void treefork_key_add(struct treefork_text *key, const char *name, const char *value)
{
    treefork_text_add(key, "%s %zu %s\n", name, strlen(value), value);
}

/* NULL if the binary is not kept, or memory ran out. */
static struct treefork_text binary_key(struct treefork_device *device,
                                       const struct treefork_launch *launch, const char *text)
{
    struct treefork_text key = {0};
    if (!device->cache_tried)
        device->cache = treefork_cache_open();
    device->cache_tried = true;
    if (!device->cache)
        return key;
    treefork_text_add(&key, "treefork program %d\n", TREEFORK_CACHE_FORMAT);
    treefork_key_add(&key, "driver", device->driver->kind);
    bool is_kept = device->driver->program_key(device, launch, text, &key);
    treefork_key_add(&key, "text", text);
    if (is_kept)
        return key;
    free(key.text);
    return (struct treefork_text){0};
}

/* False, without a message, if the cache has none or the driver refuses it. */
static bool binary_load(struct treefork_device *device, const struct treefork_launch *launch,
                        const struct treefork_text *key, union treefork_object *object)
{
    struct treefork_image image;
    if (!key->text || !treefork_cache_read(device->cache, key->text, key->length, &image))
        return false;
    int status = device->driver->program_load(device, launch, &image, object);
    free(image.bytes);
    if (!status)
        return true;
    treefork_cache_say("refused cache entry", "%s refuses a binary of %s, which is made anew: %s",
                       device->name, device->cache->path, treefork_message());
    treefork_message_clear();
    object->address = 0;
    return false;
}

bool treefork_binary_is_kept(struct treefork_device *device, const struct treefork_launch *launch,
                             const char *text)
{
    struct treefork_image image = {0};
    struct treefork_text key = binary_key(device, launch, text);
    bool is_kept =
        key.text && treefork_cache_read(device->cache, key.text, key.length, &image);
    free(image.bytes);
    free(key.text);
    return is_kept;
}

int treefork_binary_get(struct treefork_device *device, const struct treefork_launch *launch,
                        const char *text, struct treefork_program *program)
{
    struct treefork_image image = {0};
    struct treefork_text key = binary_key(device, launch, text);
    if (binary_load(device, launch, &key, &program->object)) {
        free(key.text);
        device->statistics.loads++;
        return TREEFORK_OK;
    }
    struct treefork_waiting waiting;
    treefork_waiting_begin(&waiting, device);
    int status = device->driver->program_new(device, launch, text, &image, &program->object);
    treefork_waiting_end(&waiting);
    program->is_compiled = !status;
    if (!status)
        device->statistics.builds++;
    if (!status && key.text && image.bytes)
        treefork_cache_write(device->cache, key.text, key.length, &image);
    bool is_later = !status && key.text && !image.bytes && device->driver->program_image;
    if (is_later)
        program->key = key;
    else
        free(key.text);
    free(image.bytes);
    return status;
}

void treefork_binary_keep(struct treefork_device *device, struct treefork_program *program)
{
    struct treefork_image image = {0};
    if (!program->key.text)
        return;
    if (device->driver->program_image(device, program->object, &image))
        treefork_cache_write(device->cache, program->key.text, program->key.length, &image);
    free(image.bytes);
    free(program->key.text);
    program->key = (struct treefork_text){0};
}
