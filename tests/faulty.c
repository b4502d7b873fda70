/* A disk that fails, below everything: put before libc (LD_PRELOAD), it counts the calls on files
   under one folder and refuses one of them, whoever makes it (Python, Rust, C). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST 65536
static char under[4096];
static long at = -1, count = -1; /* -1: not armed */
static int wrong;
static char ours[MOST];         /* by file descriptor */
static const char *names[MOST]; /* of the calls so far */

void faulty_arm(const char *folder, long number, int error) {
  strncpy(under, folder, sizeof under - 1);
  at = number, wrong = error, count = 0;
  memset(ours, 0, sizeof ours);
}
void faulty_disarm(void) { count = -1; }
long faulty_count(void) { return count; }
const char *faulty_name(long n) { return n >= 0 && n < count && n < MOST ? names[n] : ""; }

static int known(int fd) { return fd >= 0 && fd < MOST && ours[fd]; }
static int within(int folder, const char *path) {
  if (count < 0 || !path) return 0;
  if (path[0] != '/' && folder != AT_FDCWD) return known(folder);
  char whole[8192];
  if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
  else {
    char here[4096];
    snprintf(whole, sizeof whole, "%s/%s", getcwd(here, sizeof here) ? here : "", path);
  }
  return !strncmp(whole, under, strlen(under));
}
static int fails(const char *name) { /* one call on a file of ours */
  if (count < MOST) names[count] = name;
  if (count++ != at) return 0;
  errno = wrong;
  return 1;
}
#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
    int mine = within(AT_FDCWD, path); \
    if (mine && fails(flags & (O_CREAT | O_WRONLY | O_RDWR) ? "open to write" : "open")) return -1; \
    int fd = real(path, flags, mode); \
    if (fd >= 0 && fd < MOST) ours[fd] = mine; \
    return fd; \
  }
OPEN(open)
OPEN(open64)
#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    REAL(int, name, int, const char *, int, ...); \
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
    int mine = within(folder, path); \
    if (mine && fails(flags & (O_CREAT | O_WRONLY | O_RDWR) ? "open to write" : "open")) return -1; \
    int fd = real(folder, path, flags, mode); \
    if (fd >= 0 && fd < MOST) ours[fd] = mine; \
    return fd; \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
  REAL(int, close, int);
  if (fd >= 0 && fd < MOST) ours[fd] = 0;
  return real(fd);
}
ssize_t read(int fd, void *to, size_t size) {
  REAL(ssize_t, read, int, void *, size_t);
  return count >= 0 && known(fd) && fails("read") ? -1 : real(fd, to, size);
}
ssize_t write(int fd, const void *from, size_t size) {
  REAL(ssize_t, write, int, const void *, size_t);
  return count >= 0 && known(fd) && fails("write") ? -1 : real(fd, from, size);
}
ssize_t sendfile64(int out, int in, off64_t *from, size_t size) {
  REAL(ssize_t, sendfile64, int, int, off64_t *, size_t);
  return count >= 0 && known(out) && fails("sendfile") ? -1 : real(out, in, from, size);
}
ssize_t sendfile(int out, int in, off_t *from, size_t size) {
  REAL(ssize_t, sendfile, int, int, off_t *, size_t);
  return count >= 0 && known(out) && fails("sendfile") ? -1 : real(out, in, from, size);
}
ssize_t copy_file_range(int in, off64_t *a, int out, off64_t *b, size_t size, unsigned flags) {
  REAL(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned);
  return count >= 0 && known(out) && fails("copy") ? -1 : real(in, a, out, b, size, flags);
}
int fsync(int fd) {
  REAL(int, fsync, int);
  return count >= 0 && known(fd) && fails("fsync") ? -1 : real(fd);
}
#define ON_FD(name, type) \
  int name(int fd, type what) { \
    REAL(int, name, int, type); \
    return count >= 0 && known(fd) && fails(#name) ? -1 : real(fd, what); \
  }
ON_FD(ftruncate, off_t)
ON_FD(ftruncate64, off64_t)
ON_FD(fchmod, mode_t)
#define ON_PATH(name) \
  int name(const char *path) { \
    REAL(int, name, const char *); \
    return within(AT_FDCWD, path) && fails(#name) ? -1 : real(path); \
  }
ON_PATH(unlink)
ON_PATH(rmdir)
#define WITH_MODE(name) \
  int name(const char *path, mode_t mode) { \
    REAL(int, name, const char *, mode_t); \
    return within(AT_FDCWD, path) && fails(#name) ? -1 : real(path, mode); \
  }
WITH_MODE(mkdir)
WITH_MODE(chmod)
int unlinkat(int folder, const char *path, int flags) {
  REAL(int, unlinkat, int, const char *, int);
  return within(folder, path) && fails("unlinkat") ? -1 : real(folder, path, flags);
}
int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  return within(AT_FDCWD, to) && fails("rename") ? -1 : real(from, to);
}
