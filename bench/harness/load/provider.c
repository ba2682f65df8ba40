/*
 * An OpenAI-compatible provider that is never the limit: one thread, epoll, no allocation per token.
 *
 *   provider [ends=FILE]     listens on a free loopback port and prints it
 *
 * What it answers is said by the request itself, anywhere in its body:
 *
 *   plan tokens=N pace_us=N obfuscation=0|1 coalesced=0|1 silent_after=N run=N
 *
 * pace_us=0 sends as fast as the connection takes it; coalesced, 16 tokens go in one HTTP chunk (their number must be a
 * multiple of 16), otherwise each in its own. With a pace each token is `@<send time in ns> `. After silent_after
 * tokens (-1: never; 0: not even a status line) nothing more comes. The end of a connection in the middle of a run is
 * noted in FILE.
 */
#include "common.h"
#include "frames.h"

#define MAX_REQUEST_BYTES 65536
#define MAX_BLOCKS_PER_WRITE 16
#define EVENTS 512

enum state { READING, WRITING, PACED, SILENT };

struct plan {
  int tokens, pace_us, obfuscation, coalesced, silent_after, run, with_usage;
};

struct stream {
  int fd;
  enum state state;
  struct plan plan;
  char id[40];
  char *request; /* while it is incomplete */
  size_t request_length;
  char *block; /* BLOCK_TOKENS frames, sent over and over */
  char edges[5 * MAX_FRAME_BYTES]; /* head, then tail */
  size_t head_length, tail_length;
  uint64_t position; /* bytes of the response that were sent */
  int tokens_sent;
  uint64_t due;
  struct stream *earlier, *later;
  int wants_writable;
};

static int poller;
static volatile uint64_t *ends;
static struct stream *first_due, *last_due;
static struct stream *closed; /* freed after the batch of events that may still name them */

static void watch(struct stream *stream, int operation) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | (stream->wants_writable ? EPOLLOUT : 0), .data.ptr = stream};
  if (epoll_ctl(poller, operation, stream->fd, &event)) die("epoll_ctl");
}

static void want_writable(struct stream *stream, int wanted) {
  if (stream->wants_writable == wanted) return;
  stream->wants_writable = wanted;
  watch(stream, EPOLL_CTL_MOD);
}

static void unschedule(struct stream *stream) {
  if (!stream->due) return;
  if (stream->earlier) stream->earlier->later = stream->later;
  else first_due = stream->later;
  if (stream->later) stream->later->earlier = stream->earlier;
  else last_due = stream->earlier;
  stream->earlier = stream->later = NULL;
  stream->due = 0;
}

/* Streams of one pace come in order, so that the place is nearly always the end. */
static void schedule(struct stream *stream, uint64_t due) {
  struct stream *before = last_due;
  while (before && before->due > due) before = before->earlier;
  stream->due = due;
  stream->earlier = before;
  stream->later = before ? before->later : first_due;
  if (stream->later) stream->later->earlier = stream;
  else last_due = stream;
  if (before) before->later = stream;
  else first_due = stream;
}

static void end_connection(struct stream *stream) {
  if (stream->fd < 0) return;
  if (ends && stream->state != READING && stream->plan.run >= 0 && stream->plan.run < MAX_TRACKED_RUNS)
    ends[stream->plan.run] = now_ns();
  unschedule(stream);
  close(stream->fd);
  stream->fd = -1;
  free(stream->block);
  free(stream->request);
  stream->later = closed;
  closed = stream;
}

static void end_run(struct stream *stream) {
  stream->state = READING;
  free(stream->block);
  stream->block = NULL;
  want_writable(stream, 0);
}

/* The piece of the response that begins at `position`. */
static struct iovec piece_at(const struct stream *stream, uint64_t position) {
  const uint32_t *offsets = blocks[stream->plan.obfuscation][stream->plan.coalesced].offsets;
  uint64_t block_length = offsets[BLOCK_TOKENS];
  int tokens = stream->plan.silent_after < 0 ? stream->plan.tokens : stream->plan.silent_after;
  uint64_t content = tokens / BLOCK_TOKENS * block_length + offsets[tokens % BLOCK_TOKENS];
  if (position < stream->head_length)
    return (struct iovec){(char *)stream->edges + position, stream->head_length - position};
  position -= stream->head_length;
  if (position < content) {
    uint64_t start = position % block_length, left = content - position;
    return (struct iovec){stream->block + start, left < block_length - start ? left : block_length - start};
  }
  position -= content;
  if (stream->plan.silent_after >= 0) return (struct iovec){NULL, 0};
  return (struct iovec){(char *)stream->edges + stream->head_length + position, stream->tail_length - position};
}

static void write_burst(struct stream *stream) {
  struct iovec pieces[MAX_BLOCKS_PER_WRITE];
  uint64_t position = stream->position;
  int count = 0;
  for (; count < MAX_BLOCKS_PER_WRITE; count++) {
    pieces[count] = piece_at(stream, position);
    if (!pieces[count].iov_len) break;
    position += pieces[count].iov_len;
  }
  ssize_t written = writev(stream->fd, pieces, count);
  if (written < 0 && errno != EAGAIN) return end_connection(stream);
  if (written > 0) stream->position += (uint64_t)written;
  if (piece_at(stream, stream->position).iov_len) return want_writable(stream, 1);
  if (stream->plan.silent_after < 0) return end_run(stream);
  stream->state = SILENT;
  want_writable(stream, 0);
}

static void write_paced(struct stream *stream) {
  char frames[8 * MAX_FRAME_BYTES], stamp[32];
  const struct plan *plan = &stream->plan;
  uint64_t due = stream->due;
  size_t length = 0;
  unschedule(stream);
  if (!stream->tokens_sent) {
    memcpy(frames, stream->edges, stream->head_length);
    length = stream->head_length;
  }
  sprintf(stamp, "@%llu ", (unsigned long long)now_ns());
  length += write_token(frames + length, stream->id, stamp, plan->obfuscation);
  stream->tokens_sent++;
  int last = stream->tokens_sent == plan->tokens;
  if (last) {
    memcpy(frames + length, stream->edges + stream->head_length, stream->tail_length);
    length += stream->tail_length;
  }
  /* A paced stream is a few kilobytes: a socket that has no room for a token belongs to a reader that stopped. */
  if (send(stream->fd, frames, length, MSG_NOSIGNAL) != (ssize_t)length) return end_connection(stream);
  if (last) return end_run(stream);
  if (stream->tokens_sent == plan->silent_after) stream->state = SILENT;
  else schedule(stream, due + (uint64_t)plan->pace_us * 1000);
}

static void start_run(struct stream *stream, const char *body) {
  struct plan *plan = &stream->plan;
  const char *text = strstr(body, "plan tokens=");
  const char *pattern = "plan tokens=%d pace_us=%d obfuscation=%1d coalesced=%1d silent_after=%d run=%d";
  int read = text ? sscanf(text, pattern, &plan->tokens, &plan->pace_us, &plan->obfuscation, &plan->coalesced,
                           &plan->silent_after, &plan->run) : 0;
  if (read != 6 || plan->obfuscation > 1 || plan->coalesced > 1 ||
      (plan->coalesced && plan->tokens % COALESCED_TOKENS)) {
    static const char refusal[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    if (send(stream->fd, refusal, sizeof refusal - 1, MSG_NOSIGNAL) < 0) end_connection(stream);
    return;
  }
  plan->with_usage = strstr(body, "\"include_usage\":true") != NULL;
  sprintf(stream->id, "chatcmpl-%08x%08x%08x%05x", random_number(), random_number(), random_number(),
          random_number() & 0xfffff);
  stream->position = 0;
  stream->tokens_sent = 0;
  stream->head_length = write_head(stream->edges, stream->id, plan->obfuscation);
  stream->tail_length = write_tail(stream->edges + stream->head_length, stream->id, plan->tokens, plan->with_usage,
                                   plan->obfuscation);
  if (plan->silent_after == 0) {
    stream->state = SILENT;
  } else if (plan->pace_us) {
    stream->state = PACED;
    /* A random phase: real conversations don't tick together. */
    schedule(stream, now_ns() + (uint64_t)(random_number() % (uint32_t)plan->pace_us) * 1000);
  } else {
    stream->state = WRITING;
    stream->block = copy_block(&blocks[plan->obfuscation][plan->coalesced], stream->id,
                               plan->tokens < BLOCK_TOKENS ? plan->tokens : BLOCK_TOKENS);
    write_burst(stream);
  }
}

/* True when the request is whole: its head, and as many bytes of body as Content-Length says. */
static const char *whole_body(char *request, size_t length) {
  request[length] = 0;
  char *body = strstr(request, "\r\n\r\n");
  if (!body) return NULL;
  const char *header = strcasestr(request, "\r\ncontent-length:");
  size_t expected = header && header < body ? strtoul(header + 17, NULL, 10) : 0;
  return length - (size_t)(body + 4 - request) >= expected ? body + 4 : NULL;
}

static void read_request(struct stream *stream) {
  static char shared[MAX_REQUEST_BYTES + 1];
  char *into = stream->request ? stream->request : shared;
  ssize_t count = recv(stream->fd, into + stream->request_length, MAX_REQUEST_BYTES - stream->request_length, 0);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0 || stream->state != READING) return end_connection(stream);
  size_t length = stream->request_length + (size_t)count;
  const char *body = whole_body(into, length);
  if (body) {
    start_run(stream, body);
    free(stream->request);
    stream->request = NULL;
    stream->request_length = 0;
    return;
  }
  if (!stream->request) {
    stream->request = allocate(MAX_REQUEST_BYTES + 1);
    memcpy(stream->request, shared, length);
  }
  stream->request_length = length;
}

static void accept_all(int listener) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && errno == EAGAIN) return;
    if (fd < 0) die("accept");
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct stream *stream = allocate(sizeof *stream);
    stream->fd = fd;
    watch(stream, EPOLL_CTL_ADD);
  }
}

static void wait_and_handle(int listener) {
  struct epoll_event events[EVENTS];
  uint64_t now = now_ns();
  uint64_t wait = !first_due ? 1000000000ull : first_due->due > now ? first_due->due - now : 0;
  struct timespec timeout = {.tv_sec = (time_t)(wait / 1000000000ull), .tv_nsec = (long)(wait % 1000000000ull)};
  int count = epoll_pwait2(poller, events, EVENTS, &timeout, NULL);
  if (count < 0 && errno != EINTR) die("epoll_pwait2");
  for (int i = 0; i < count; i++) {
    struct stream *stream = events[i].data.ptr;
    if (!stream) accept_all(listener);
    else {
      if (stream->fd >= 0 && events[i].events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) read_request(stream);
      if (stream->fd >= 0 && events[i].events & EPOLLOUT && stream->state == WRITING) write_burst(stream);
    }
  }
  for (now = now_ns(); first_due && first_due->due <= now;) write_paced(first_due);
  while (closed) {
    struct stream *next = closed->later;
    free(closed);
    closed = next;
  }
}

int main(int count, char **arguments) {
  allow_many_files();
  signal(SIGPIPE, SIG_IGN);
  prepare_blocks();
  ends = map_ends(option(count, arguments, "ends", NULL));
  poller = epoll_create1(EPOLL_CLOEXEC);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 65535)) die("listen");
  getsockname(listener, (struct sockaddr *)&address, &length);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event)) die("epoll_ctl");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) wait_and_handle(listener);
}
