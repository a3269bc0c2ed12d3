#include "app/png_file.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "app/output_file.h"
#include "app/text.h"

/* libpng's errors come back through longjmp(). So that no local variable is
 * changed between setjmp() and longjmp(), all that changes lives in these
 * structs, and the functions that call setjmp() have no other locals. */
struct reader {
    png_structp png;
    png_infop info;
    FILE *file;
    struct image image;
    int bit_depth;
    int pass, passes;
    uint32_t row;
    bool no_memory;
    char why[160], hint[128]; /* libpng's error, and its last warning before */
};

struct writer {
    png_structp png;
    png_infop info;
    struct output_file *file;
    uint32_t width, height, row;
    enum pixel_order order;
    const uint8_t *pixels;
    bool no_memory;
    char why[160];
    struct error *error;
};

/* libpng's memory, so that want of it is not taken for a damaged file. */
static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    bool *no_memory = png_get_mem_ptr(png);
    void *memory = malloc(size);
    if (!memory)
        *no_memory = true;
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    (void) png;
    free(memory);
}

static void read_failed(png_structp png, png_const_charp message)
{
    struct reader *reader = png_get_error_ptr(png);
    (void) snprintf(reader->why, sizeof reader->why, "%s", message);
    png_longjmp(png, 1);
}

static void read_warned(png_structp png, png_const_charp message)
{
    struct reader *reader = png_get_error_ptr(png);
    (void) snprintf(reader->hint, sizeof reader->hint, "%s", message);
}

static void write_failed(png_structp png, png_const_charp message)
{
    struct writer *writer = png_get_error_ptr(png);
    (void) snprintf(writer->why, sizeof writer->why, "%s", message);
    png_longjmp(png, 1);
}

static void write_warned(png_structp png, png_const_charp message)
{
    (void) png;
    (void) message;
}

/* A signal that asks to stop ends no read: the run stops once the file is there. */
static size_t read_whole(FILE *file, void *bytes, size_t size)
{
    size_t length = 0;
    do {
        errno = 0;
        clearerr(file);
        length += fread((char *) bytes + length, 1, size - length, file);
    } while (length < size && ferror(file) && errno == EINTR);
    return length;
}

static void read_bytes(png_structp png, png_bytep bytes, size_t size)
{
    if (read_whole(png_get_io_ptr(png), bytes, size) < size)
        png_error(png, "Read Error");
}

static bool read_header(struct reader *reader)
{
    if (setjmp(png_jmpbuf(reader->png))) // NOLINT(cert-err52-cpp)
        return false;
    png_set_user_limits(reader->png, PNG_FILE_SIDE_MAX, PNG_FILE_SIDE_MAX);
    /* No memory is taken for ancillary chunks, whatever length they claim; but for
     * transparency they are passed over. */
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_read_fn(reader->png, reader->file, read_bytes);
    png_set_sig_bytes(reader->png, 8);
    png_read_info(reader->png, reader->info);

    reader->image.width = png_get_image_width(reader->png, reader->info);
    reader->image.height = png_get_image_height(reader->png, reader->info);
    reader->bit_depth = png_get_bit_depth(reader->png, reader->info);

    png_set_expand(reader->png);
    png_set_gray_to_rgb(reader->png);
    png_set_add_alpha(reader->png, 0xff, PNG_FILLER_AFTER);
    reader->passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    return true;
}

static bool read_pixels(struct reader *reader)
{
    if (setjmp(png_jmpbuf(reader->png))) // NOLINT(cert-err52-cpp)
        return false;
    for (reader->pass = 0; reader->pass < reader->passes; reader->pass++) {
        for (reader->row = 0; reader->row < reader->image.height; reader->row++)
            png_read_row(reader->png,
                         reader->image.pixels + (size_t) reader->row * reader->image.width * 4,
                         NULL);
    }
    png_read_end(reader->png, NULL);
    return true;
}

static bool unusable(const char *path, const char *why, const char *hint, struct error *error)
{
    char shown[TEXT_SHOWN_SIZE];
    return error_set(error, ERROR_USAGE, "cannot use %s: %s%s%s%s; give an 8-bit PNG file",
                     text_shown(path, shown), why, hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
}

/* After libpng's error, which says "Read Error" where the file ends too early. */
static bool damaged(const struct reader *reader, const char *path, const char *hint,
                    struct error *error)
{
    char shown[TEXT_SHOWN_SIZE];
    if (reader->no_memory)
        return error_set(error, ERROR_RUNTIME, "cannot read %s: out of memory; free some memory",
                         text_shown(path, shown));
    return unusable(path, feof(reader->file) ? "is truncated" : reader->why, hint, error);
}

static bool read_open(struct reader *reader, const char *path, struct error *error)
{
    uint8_t signature[8];
    const size_t length = read_whole(reader->file, signature, sizeof signature);
    if (ferror(reader->file))
        return unusable(path, strerror(errno), "", error); // NOLINT(concurrency-mt-unsafe)
    if (length == 0)
        return unusable(path, "is empty", "", error);
    if (png_sig_cmp(signature, 0, length) != 0)
        return unusable(path, "not a PNG file", "", error);
    if (length < sizeof signature)
        return unusable(path, "is truncated", "", error);

    reader->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, read_failed, read_warned,
                                           &reader->no_memory, allocate, release);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (!reader->info)
        return error_set(error, ERROR_RUNTIME,
                         "cannot start libpng: out of memory; free some memory");
    if (!read_header(reader))
        return damaged(reader, path, reader->hint, error);
    if (reader->bit_depth > 8)
        return unusable(path, "has 16 bits a channel", "", error);
    if (png_get_rowbytes(reader->png, reader->info) != (size_t) reader->image.width * 4)
        return unusable(path, "has a layout that cannot be expanded to RGBA", "", error);

    struct error quiet = {0}; /* it knows nothing of the file */
    reader->no_memory =
        !image_create(&reader->image, reader->image.width, reader->image.height, &quiet);
    if (reader->no_memory || !read_pixels(reader))
        return damaged(reader, path, "", error);
    return true;
}

bool png_file_read(const char *path, struct image *image, struct error *error)
{
    struct reader reader = {0};
    char shown[TEXT_SHOWN_SIZE];
    *image = (struct image){0};
    do {
        reader.file = fopen(path, "rbe"); /* of a FIFO waits for a writer */
    } while (!reader.file && errno == EINTR);
    if (!reader.file && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) {
        const int number = errno; /* no fault of the file's */
        return error_set(error, ERROR_RUNTIME, "cannot read %s: %s; %s", text_shown(path, shown),
                         strerror(number), // NOLINT(concurrency-mt-unsafe)
                         output_file_advice(number));
    }
    if (!reader.file)
        return unusable(path, strerror(errno), "", error); // NOLINT(concurrency-mt-unsafe)
    bool done = read_open(&reader, path, error);
    if (reader.png)
        png_destroy_read_struct(&reader.png, &reader.info, NULL);
    (void) fclose(reader.file);
    if (done)
        *image = reader.image;
    else
        image_destroy(&reader.image);
    return done;
}

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
    struct writer *writer = png_get_io_ptr(png);
    if (!output_file_write(writer->file, data, size, writer->error))
        png_error(png, "write error");
}

static void write_flush(png_structp png)
{
    (void) png;
}

static bool write_all(struct writer *writer)
{
    if (setjmp(png_jmpbuf(writer->png))) // NOLINT(cert-err52-cpp)
        return false;
    png_set_write_fn(writer->png, writer, write_bytes, write_flush);
    png_set_user_limits(writer->png, PNG_FILE_SIDE_MAX, PNG_FILE_SIDE_MAX);
    /* Of the pairs measured on smooth frames this one is three times as fast as
     * libpng's defaults, with files of the same size. */
    png_set_compression_level(writer->png, 4);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_IHDR(writer->png, writer->info, writer->width, writer->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(writer->png, writer->info);
    png_set_filler(writer->png, 0, PNG_FILLER_AFTER); /* strips the fourth byte */
    if (writer->order == PIXELS_BGRA)
        png_set_bgr(writer->png);
    for (writer->row = 0; writer->row < writer->height; writer->row++)
        png_write_row(writer->png, writer->pixels + (size_t) writer->row * writer->width * 4);
    png_write_end(writer->png, NULL);
    return true;
}

bool png_file_encode(struct output_file *file, uint32_t width, uint32_t height,
                     enum pixel_order order, const uint8_t *pixels, struct error *error)
{
    struct writer writer = {.file = file,
                            .width = width,
                            .height = height,
                            .order = order,
                            .pixels = pixels,
                            .error = error};
    writer.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, write_failed,
                                           write_warned, &writer.no_memory, allocate, release);
    writer.info = writer.png ? png_create_info_struct(writer.png) : NULL;
    bool done = writer.info && write_all(&writer);
    if (writer.png)
        png_destroy_write_struct(&writer.png, &writer.info);
    /* A failure of the file has filled the error already. */
    if (!done && writer.no_memory)
        return error_set(error, ERROR_RUNTIME, "cannot write %s: out of memory; free some memory",
                         file->shown);
    return done || error_set(error, ERROR_RUNTIME, "cannot write %s: %s; give another size or path",
                             file->shown, writer.why);
}

bool png_file_write(const char *path, uint32_t width, uint32_t height, enum pixel_order order,
                    const uint8_t *pixels, struct error *error)
{
    struct output_file file;
    if (!output_file_open(&file, path, error))
        return false;
    if (png_file_encode(&file, width, height, order, pixels, error))
        return output_file_commit(&file, error);
    output_file_abort(&file);
    return false;
}
