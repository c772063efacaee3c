/* A library for LD_PRELOAD, for tests only, that makes one call of a program fail: a system call,
 * an allocation or the start of a thread. Environment variables select the call:
 *
 * FAULT_CALL: open, read, write, fsync, close, rename, unlink, kill, malloc (also calloc and
 * realloc) or pthread_create.
 *
 * FAULT_NTH: number of the call that fails, counted from 1 over all threads since the beginning of
 * main().
 *
 * FAULT_FROM, if set: all later calls fail as well, as with a full disk or exhausted memory.
 *
 * FAULT_KILL, if set: the call kills the program (SIGKILL) instead of failing.
 *
 * FAULT_HANG, if set: the call never returns.
 *
 * FAULT_ALONE, if set: no call fails in programs that the program starts (with FAULT_KEEP_PRELOAD).
 *
 * FAULT_CALLER, if set: only calls from files whose paths contain one of these words count. Words
 * are separated by commas.
 *
 * FAULT_HIT: a file that is created when the first call fails, so that a loop over FAULT_NTH knows
 * when to end.
 *
 * In programs compiled with _FORTIFY_SOURCE, some of these calls have other names (__open_2,
 * __read_chk), which count as the same calls.
 *
 * The library removes itself from the environment of child processes, unless FAULT_KEEP_PRELOAD is
 * set. It does not intercept calls within the C library (stdio), so messages on standard error are
 * printed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static atomic_int armed;
static long nth;
static int all_later, kills, hangs;
static char call[32], hit[4096], callers[256];

/* Copies the value, because the environment may change, without allocating memory. */
static void keep(char* to, size_t size, const char* name) {
  const char* value = getenv(name);
  if (value && strlen(value) < size) strcpy(to, value);
}

static void begin(void) {
  const char* count = getenv("FAULT_NTH");
  keep(call, sizeof call, "FAULT_CALL");
  keep(hit, sizeof hit, "FAULT_HIT");
  keep(callers, sizeof callers, "FAULT_CALLER");
  nth = count ? atol(count) : 0;
  all_later = getenv("FAULT_FROM") != NULL;
  kills = getenv("FAULT_KILL") != NULL;
  hangs = getenv("FAULT_HANG") != NULL;
  if (!getenv("FAULT_KEEP_PRELOAD")) unsetenv("LD_PRELOAD");
  if (getenv("FAULT_ALONE")) unsetenv("FAULT_NTH");
  armed = nth > 0;
}

static int (*program)(int, char**, char**);

/* Counting begins with main(), because code that runs before it cannot report errors. */
static int counted_main(int argc, char** argv, char** environment) {
  begin();
  return program(argc, argv, environment);
}

int __libc_start_main(int (*main_function)(int, char**, char**), int argc, char** argv,
                      int (*init)(int, char**, char**), void (*fini)(void), void (*rtld_fini)(void),
                      void* stack_end) {
  int (*start)(int (*)(int, char**, char**), int, char**, int (*)(int, char**, char**),
               void (*)(void), void (*)(void), void*);
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  program = main_function;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static int counts(const void* caller) {
  Dl_info info;
  char words[sizeof callers], *rest = words, *word;
  if (!*callers) return 1;
  if (!dladdr(caller, &info) || !info.dli_fname) return 0;
  strcpy(words, callers);
  while ((word = strtok_r(rest, ",", &rest)))
    if (strstr(info.dli_fname, word)) return 1;
  return 0;
}

static int fails(const char* name, const void* caller) {
  if (!armed || strcmp(call, name) != 0 || !counts(caller)) return 0;
  const long now = atomic_fetch_add(&calls, 1) + 1;
  if (now < nth || (now > nth && !all_later)) return 0;
  if (*hit) {
    const long fd = syscall(SYS_openat, AT_FDCWD, hit, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) syscall(SYS_close, (int)fd);
  }
  if (kills) syscall(SYS_kill, getpid(), SIGKILL);
  while (hangs) pause();
  return 1;
}

#define CALLER __builtin_return_address(0)
#define REAL(type, name, ...)       \
  static type (*real)(__VA_ARGS__); \
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, name)

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  if (fails("open", CALLER)) return errno = flags & O_CREAT ? ENOSPC : EMFILE, -1;
  REAL(int, "open", const char*, int, ...);
  return real(path, flags, mode);
}

/* Has no mode, so it never creates a file. */
int __open_2(const char* path, int flags) {
  if (fails("open", CALLER)) return errno = EMFILE, -1;
  REAL(int, "__open_2", const char*, int);
  return real(path, flags);
}

ssize_t read(int fd, void* to, size_t size) {
  if (fails("read", CALLER)) return errno = EIO, -1;
  REAL(ssize_t, "read", int, void*, size_t);
  return real(fd, to, size);
}

ssize_t __read_chk(int fd, void* to, size_t size, size_t room) {
  if (fails("read", CALLER)) return errno = EIO, -1;
  REAL(ssize_t, "__read_chk", int, void*, size_t, size_t);
  return real(fd, to, size, room);
}

ssize_t write(int fd, const void* from, size_t size) {
  if (fails("write", CALLER)) return errno = ENOSPC, -1;
  REAL(ssize_t, "write", int, const void*, size_t);
  return real(fd, from, size);
}

int fsync(int fd) {
  if (fails("fsync", CALLER)) return errno = EIO, -1;
  REAL(int, "fsync", int);
  return real(fd);
}

int close(int fd) {
  const int failed = fails("close", CALLER);
  REAL(int, "close", int);
  const int result = real(fd);
  return failed ? (errno = EIO, -1) : result;
}

int rename(const char* from, const char* to) {
  if (fails("rename", CALLER)) return errno = EIO, -1;
  REAL(int, "rename", const char*, const char*);
  return real(from, to);
}

int unlink(const char* path) {
  if (fails("unlink", CALLER)) return errno = EIO, -1;
  REAL(int, "unlink", const char*);
  return real(path);
}

int kill(pid_t process, int signal) {
  if (fails("kill", CALLER)) return errno = EPERM, -1;
  REAL(int, "kill", pid_t, int);
  return real(process, signal);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  if (fails("pthread_create", CALLER)) return EAGAIN;
  REAL(int, "pthread_create", pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return real(thread, attributes, run, argument);
}

/* dlsym() may allocate memory itself, so these use the C library's internal names. */
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);

void* malloc(size_t size) {
  if (fails("malloc", CALLER)) return errno = ENOMEM, NULL;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  if (fails("malloc", CALLER)) return errno = ENOMEM, NULL;
  return __libc_calloc(count, size);
}

void* realloc(void* at, size_t size) {
  if (fails("malloc", CALLER)) return errno = ENOMEM, NULL;
  return __libc_realloc(at, size);
}
