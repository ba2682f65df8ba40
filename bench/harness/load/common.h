#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Runs whose connection's end the provider reports, at most. */
#define MAX_TRACKED_RUNS 65536

/* Both programs read the same clock of the same machine, so that a stamp of one can be compared in the other. */
static inline uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

static inline void die(const char *what) {
  fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "failed");
  exit(1);
}

static inline void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (!memory) die("out of memory");
  return memory;
}

/* The value of `name=…` among the arguments, or the default. */
static inline const char *option(int count, char **arguments, const char *name, const char *otherwise) {
  size_t length = strlen(name);
  for (int i = 1; i < count; i++)
    if (!strncmp(arguments[i], name, length) && arguments[i][length] == '=') return arguments[i] + length + 1;
  return otherwise;
}

static inline long number_option(int count, char **arguments, const char *name, long otherwise) {
  const char *text = option(count, arguments, name, NULL);
  return text ? atol(text) : otherwise;
}

static inline void allow_many_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) die("getrlimit");
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit)) die("setrlimit");
}

/* An array in a file that both programs map: run → when the provider saw its connection end (ns, 0: not yet). */
static inline volatile uint64_t *map_ends(const char *path) {
  if (!path) return NULL;
  size_t bytes = MAX_TRACKED_RUNS * sizeof(uint64_t);
  int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, (off_t)bytes)) die(path);
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) die("mmap");
  close(file);
  return memory;
}

#endif
