/* A disk that fails: writes and syncs of the store answer EIO while the file exists that EIO_WHILE names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int file)
{
    char link[64], path[4096];
    const char *flag = getenv("EIO_WHILE");
    if (flag == NULL || access(flag, F_OK) != 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = '\0';
    return strstr(path, ".sqlite") != NULL;
}

#define WRITES(name, offset)                                                     \
    ssize_t name(int file, const void *bytes, size_t count, offset at)           \
    {                                                                            \
        static ssize_t (*real)(int, const void *, size_t, offset);               \
        if (real == NULL) real = dlsym(RTLD_NEXT, #name);                        \
        if (fails(file)) { errno = EIO; return -1; }                             \
        return real(file, bytes, count, at);                                     \
    }
WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

#define SYNCS(name)                                                              \
    int name(int file)                                                           \
    {                                                                            \
        static int (*real)(int);                                                 \
        if (real == NULL) real = dlsym(RTLD_NEXT, #name);                        \
        if (fails(file)) { errno = EIO; return -1; }                             \
        return real(file);                                                       \
    }
SYNCS(fsync)
SYNCS(fdatasync)
