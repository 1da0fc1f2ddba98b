/*
 * A disk that can lose all that was not flushed. Preloaded into a program, it writes a journal of
 * what the program does to the files below DISK_ROOT: names, writes, and flushes that have returned.
 * platter.ts computes from it what a disk has after a power cut. The journal is not below DISK_ROOT.
 *
 * The power is cut before the operation number DISK_CUT, counted from the start, or from SIGUSR2 if
 * DISK_WAITS is set. A cut kills the program. Programs that it starts are not preloaded.
 *
 * Files that SQLite maps into memory (-shm) are left out: it makes them anew after a power cut.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NAME_FILE = 1, NAME_FOLDER, WRITE, TRUNCATE, FLUSH_FILE, FLUSH_FOLDER, RENAME, UNNAME, LINK };

struct header {
  uint32_t kind;
  uint32_t first_bytes;
  uint32_t second_bytes;
  uint32_t unused;
  uint64_t file;
  uint64_t offset;
};

enum { FILES_MAX = 65536, PATH_BYTES_MAX = 4096 };

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static unsigned char is_ours[FILES_MAX];
static char root[PATH_BYTES_MAX];
static int journal = -1;
static long cut_after = 0;
static volatile sig_atomic_t is_armed = 1;

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static void arm(int number) {
  (void)number;
  is_armed = 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("DISK_ROOT"), *file = getenv("DISK_JOURNAL");
  const char *cut = getenv("DISK_CUT"), *waits = getenv("DISK_WAITS");
  if (!folder || !file) return;
  snprintf(root, sizeof root, "%s", folder);
  __typeof__(open) *real_open = (__typeof__(open) *)dlsym(RTLD_NEXT, "open");
  journal = real_open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (cut) cut_after = atol(cut);
  if (waits) {
    is_armed = 0;
    struct sigaction action = {.sa_handler = arm, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
  }
  unsetenv("LD_PRELOAD");
}

static int is_below(const char *path) {
  size_t length = strlen(root), path_length = strlen(path);
  if (journal < 0 || strncmp(path, root, length) != 0) return 0;
  if (path[length] != '/' && path[length] != 0) return 0;
  return path_length < 4 || strcmp(path + path_length - 4, "-shm") != 0;
}

static int is_file_of_ours(int file) {
  return file >= 0 && file < FILES_MAX && is_ours[file];
}

/* Called before each operation, under the mutex. */
static void maybe_cut(void) {
  if (cut_after <= 0 || !is_armed) return;
  cut_after -= 1;
  if (cut_after == 0) kill(getpid(), SIGKILL);
}

static void note(enum kind kind, uint64_t file, uint64_t offset, const void *first,
                 size_t first_bytes, const void *second, size_t second_bytes) {
  struct header header = {kind, (uint32_t)first_bytes, (uint32_t)second_bytes, 0, file, offset};
  struct iovec parts[3] = {{&header, sizeof header},
                           {(void *)first, first_bytes},
                           {(void *)second, second_bytes}};
  __typeof__(writev) *real = (__typeof__(writev) *)dlsym(RTLD_NEXT, "writev");
  ssize_t wanted = (ssize_t)(sizeof header + first_bytes + second_bytes);
  if (real(journal, parts, 3) != wanted) abort();
}

static uint64_t number_of(int file) {
  struct stat found;
  return fstat(file, &found) == 0 ? found.st_ino : 0;
}

static uint64_t number_at(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_ino : 0;
}

static void opened(int file, const char *path, int flags, int was_there) {
  if (file < 0 || file >= FILES_MAX) return;
  is_ours[file] = 1;
  if (!was_there) note(NAME_FILE, number_of(file), 0, path, strlen(path), NULL, 0);
  else if (flags & O_TRUNC) note(TRUNCATE, number_of(file), 0, NULL, 0, NULL, 0);
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if (!is_below(path)) return real(path, flags, mode); \
    pthread_mutex_lock(&mutex); \
    int was_there = number_at(path) != 0; \
    if (!was_there && (flags & O_CREAT)) maybe_cut(); \
    int file = real(path, flags, mode); \
    int error = errno; \
    opened(file, path, flags, was_there); \
    pthread_mutex_unlock(&mutex); \
    errno = error; \
    return file; \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  REAL(close);
  if (file >= 0 && file < FILES_MAX) is_ours[file] = 0;
  return real(file);
}

static void written(int file, ssize_t bytes, off_t offset, const struct iovec *parts, int count) {
  off_t at = offset >= 0 ? offset : lseek(file, 0, SEEK_CUR) - bytes;
  size_t left = bytes > 0 ? (size_t)bytes : 0;
  for (int part = 0; part < count && left > 0; part += 1) {
    size_t length = parts[part].iov_len < left ? parts[part].iov_len : left;
    note(WRITE, number_of(file), (uint64_t)at, parts[part].iov_base, length, NULL, 0);
    at += (off_t)length;
    left -= length;
  }
}

/* `at`: where it writes; -1: where the file stands. */
#define TRACKED_WRITE(file, at, parts, count, call) \
  if (!is_file_of_ours(file)) return call; \
  pthread_mutex_lock(&mutex); \
  maybe_cut(); \
  ssize_t bytes = call; \
  int error = errno; \
  if (bytes > 0) written(file, bytes, at, parts, count); \
  pthread_mutex_unlock(&mutex); \
  errno = error; \
  return bytes

ssize_t write(int file, const void *from, size_t length) {
  REAL(write);
  struct iovec part = {(void *)from, length};
  TRACKED_WRITE(file, -1, &part, 1, real(file, from, length));
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  TRACKED_WRITE(file, -1, parts, count, real(file, parts, count));
}

ssize_t pwrite64(int file, const void *from, size_t length, off64_t offset) {
  REAL(pwrite64);
  struct iovec part = {(void *)from, length};
  TRACKED_WRITE(file, offset, &part, 1, real(file, from, length, offset));
}

int ftruncate64(int file, off64_t length) {
  REAL(ftruncate64);
  if (!is_file_of_ours(file)) return real(file, length);
  pthread_mutex_lock(&mutex);
  maybe_cut();
  int result = real(file, length);
  if (result == 0) note(TRUNCATE, number_of(file), (uint64_t)length, NULL, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

static void flushed(int file) {
  struct stat found;
  char link[64], path[PATH_BYTES_MAX];
  if (fstat(file, &found) != 0) return;
  if (!S_ISDIR(found.st_mode)) {
    note(FLUSH_FILE, found.st_ino, 0, NULL, 0, NULL, 0);
    return;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path);
  if (length > 0) note(FLUSH_FOLDER, found.st_ino, 0, path, (size_t)length, NULL, 0);
}

#define FLUSH(name) \
  int name(int file) { \
    REAL(name); \
    if (!is_file_of_ours(file)) return real(file); \
    pthread_mutex_lock(&mutex); \
    maybe_cut(); \
    int result = real(file); \
    int error = errno; \
    if (result == 0) flushed(file); \
    pthread_mutex_unlock(&mutex); \
    errno = error; \
    return result; \
  }
FLUSH(fsync)
FLUSH(fdatasync)

#define TRACKED_NAME(below, call, told) \
  if (!(below)) return call; \
  pthread_mutex_lock(&mutex); \
  maybe_cut(); \
  int result = call; \
  int error = errno; \
  if (result == 0) told; \
  pthread_mutex_unlock(&mutex); \
  errno = error; \
  return result

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  TRACKED_NAME(is_below(path), real(path, mode),
               note(NAME_FOLDER, number_at(path), 0, path, strlen(path), NULL, 0));
}

int rename(const char *from, const char *to) {
  REAL(rename);
  TRACKED_NAME(is_below(from) || is_below(to), real(from, to),
               note(RENAME, number_at(to), 0, from, strlen(from), to, strlen(to)));
}

int link(const char *from, const char *to) {
  REAL(link);
  TRACKED_NAME(is_below(to), real(from, to),
               note(LINK, number_at(to), 0, to, strlen(to), NULL, 0));
}

int unlink(const char *path) {
  REAL(unlink);
  TRACKED_NAME(is_below(path), real(path), note(UNNAME, 0, 0, path, strlen(path), NULL, 0));
}

int rmdir(const char *path) {
  REAL(rmdir);
  TRACKED_NAME(is_below(path), real(path), note(UNNAME, 0, 0, path, strlen(path), NULL, 0));
}
