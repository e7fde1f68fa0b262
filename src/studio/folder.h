/* SPDX-License-Identifier: MIT */
/* The model files in one folder and the folders in it, for a page that nobody trusts: no path leads
 * out of the folder, neither by ".." nor by a symbolic link, nothing hidden is seen, and only files
 * that are named like models are read or written. */
#ifndef LN_STUDIO_FOLDER_H
#define LN_STUDIO_FOLDER_H

#include "base/arena.h"

typedef struct ln_text ln_text;

/* The largest model that is read or written, bytes. */
#define LN_STUDIO_TEXT ((size_t)8 << 20)

typedef struct ln_folder {
    int descriptor; /* of the folder; -1: there is none */
    char *path;     /* absolute */
} ln_folder;

typedef enum ln_folder_outcome {
    LN_FOLDER_DONE,
    LN_FOLDER_NAME,    /* no name of a model file inside the folder */
    LN_FOLDER_ABSENT,  /* no such file */
    LN_FOLDER_PLAIN,   /* a link, a folder, a pipe: no plain file */
    LN_FOLDER_SIZE,    /* too large, or not UTF-8 */
    LN_FOLDER_CHANGED, /* not the file that was read: somebody else wrote it */
    LN_FOLDER_FAILED   /* errno */
} ln_folder_outcome;

/* What an outcome means to a user (errno is looked at). */
const char *ln_folder_why(ln_folder_outcome outcome);

/* Which state of a file is meant: its time, size and number, as text; "" of one that is not there.
 */
typedef struct ln_folder_stamp {
    char text[80];
} ln_folder_stamp;

/* 0, or -1 with errno. The folder is closed by ln_folder_close() in any case. */
int ln_folder_open(ln_folder *folder, const char *path);
void ln_folder_close(ln_folder *folder);

/* Tells of every model file, folder by folder in the order of names, with its path inside. */
void ln_folder_list(const ln_folder *folder, void (*tell)(void *context, const char *path),
                    void *context);
/* Appends a file's text. */
ln_folder_outcome ln_folder_read(const ln_folder *folder, const char *path, ln_text *text,
                                 ln_folder_stamp *stamp);
/* Writes a file, whole or not at all. `stamp` is that of the file which is replaced ("": there must
 * be none), and becomes that of the new one; NULL: whatever is there. */
ln_folder_outcome ln_folder_write(const ln_folder *folder, const char *path, const char *text,
                                  size_t length, ln_folder_stamp *stamp);
/* The absolute path of the folder in which a file lies: where its includes are looked for.
 * Appended; LN_FOLDER_NAME or LN_FOLDER_ABSENT when there is none. path "" : the folder itself. */
ln_folder_outcome ln_folder_where(const ln_folder *folder, const char *path, ln_text *where);

#endif
