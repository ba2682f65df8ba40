/*
 * The load: clients that send one run after another over kept-alive connections, and count what they get.
 *
 *   load port=N request=FILE format=ag-ui|openai|ui-message|listing concurrency=N runs=N min_seconds=S tokens=N
 *        [ramp_ms=N] [close_after_ms=N ends=FILE] [idle_readers=N idle_request=FILE hold_seconds=S] [timeout_seconds=S]
 *
 * FILE holds one whole HTTP request; each `00000000` in it becomes the number of the run. Runs are started until there
 * were `runs` of them and `min_seconds` have passed. The clients begin spread over ramp_ms. With close_after_ms every client goes that long after its request,
 * and what is measured is when the provider saw it. Idle readers send idle_request and read nothing until SIGTERM, or for
 * hold_seconds. The result is one line of JSON.
 */
#include "common.h"
#include "response.h"

#define READ_BYTES 262144
#define EVENTS 512
#define MAX_REQUEST_BYTES 65536
#define MAX_RUN_MARKS 16
#define SEEN_WITHIN_NS 2000000000ull

struct request {
  char bytes[MAX_REQUEST_BYTES];
  size_t length, marks[MAX_RUN_MARKS];
  int mark_count;
};

struct client {
  int fd, run, used_before, connected;
  uint64_t started, first_token, close_at;
  struct response response;
};

struct samples {
  float *values; /* microseconds */
  size_t count, capacity;
};

static struct sockaddr_in server = {.sin_family = AF_INET};
static struct request request, idle_request;
static struct samples first_tokens, delays;
static struct client *current;
static int poller, concurrency, runs, tokens_per_run, close_after_ms, claimed, completed, active, reconnects;
static int failed_connect, failed_status, failed_error, failed_cut, failed_unfinished, failed_tokens, failed_timeout;
static uint64_t start, now, last_completion, min_ns;
static long long tokens, bytes;
static uint64_t closed_at[MAX_TRACKED_RUNS];

static void add(struct samples *samples, uint64_t ns) {
  if (samples->count == samples->capacity) {
    samples->capacity = samples->capacity ? samples->capacity * 2 : 65536;
    samples->values = realloc(samples->values, samples->capacity * sizeof(float));
    if (!samples->values) die("out of memory");
  }
  samples->values[samples->count++] = (float)ns / 1000;
}

/* The provider stamps paced tokens with their send time: `@<ns> `. */
static void on_token(struct response *response, const char *line, size_t length) {
  (void)response;
  if (!current->first_token) current->first_token = now;
  const char *stamp = memchr(line + token_offset, '@', length - token_offset);
  if (stamp) add(&delays, now - strtoull(stamp + 1, NULL, 10));
}

static void read_request_file(struct request *into, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  into->length = fread(into->bytes, 1, MAX_REQUEST_BYTES - 1, file);
  fclose(file);
  for (char *at = into->bytes; (at = strstr(at, "00000000")); at += 8) {
    if (into->mark_count == MAX_RUN_MARKS) die("too many marks in the request");
    into->marks[into->mark_count++] = (size_t)(at - into->bytes);
  }
}

static int send_request(int fd, struct request *what, int run) {
  char number[16];
  snprintf(number, sizeof number, "%08d", run);
  for (int i = 0; i < what->mark_count; i++) memcpy(what->bytes + what->marks[i], number, 8);
  return send(fd, what->bytes, what->length, MSG_NOSIGNAL) == (ssize_t)what->length;
}

static int start_connection(void) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  if (fd < 0) die("socket");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(fd, (struct sockaddr *)&server, sizeof server) && errno != EINPROGRESS) {
    close(fd);
    return -1;
  }
  return fd;
}

static void watch(struct client *client, int operation, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = client};
  if (epoll_ctl(poller, operation, client->fd, &event)) die("epoll_ctl");
}

static void disconnect(struct client *client) {
  if (client->fd >= 0) close(client->fd);
  client->fd = -1;
  client->connected = client->used_before = 0;
}

static void end_run(struct client *client);

static void fail(struct client *client, int *kind) {
  ++*kind;
  disconnect(client);
  end_run(client);
}

static void send_run(struct client *client) {
  struct response *response = &client->response;
  *response = (struct response){.line = response->line, .line_capacity = response->line_capacity};
  if (!send_request(client->fd, &request, client->run)) return fail(client, &failed_cut);
  if (close_after_ms) client->close_at = now_ns() + (uint64_t)(close_after_ms + client->run % 50) * 1000000;
}

static void connect_run(struct client *client) {
  client->fd = start_connection();
  if (client->fd < 0) return fail(client, &failed_connect);
  watch(client, EPOLL_CTL_ADD, EPOLLOUT);
}

static void start_run(struct client *client) {
  client->run = -1;
  client->close_at = 0;
  if (claimed >= runs && now_ns() - start >= min_ns) return;
  client->run = claimed++;
  client->started = now_ns();
  client->first_token = 0;
  active++;
  if (client->fd < 0) connect_run(client);
  else send_run(client);
}

/* What fails at once is not started anew from here, or a server that is gone would be asked without end. */
static void end_run(struct client *client) {
  active--;
  client->run = -1;
  client->close_at = 0;
  last_completion = now_ns();
}

static void finish_run(struct client *client) {
  const struct response *response = &client->response;
  tokens += response->tokens;
  if (client->first_token) add(&first_tokens, client->first_token - client->started);
  if (response->status != 200) failed_status++;
  else if (response->failed) failed_error++;
  else if (!response->ended) failed_unfinished++;
  else if (response->tokens != tokens_per_run) failed_tokens++;
  else completed++;
  client->used_before = 1;
  if (response->closes || response->part == UNTIL_CLOSE) disconnect(client);
  end_run(client);
  start_run(client);
}

static void lose_connection(struct client *client) {
  int clean_end = client->response.part == UNTIL_CLOSE;
  int never_used = client->used_before && client->response.part == HEAD && !client->response.line_length;
  if (client->run < 0) return disconnect(client);
  if (clean_end) return finish_run(client);
  if (!client->connected) return fail(client, &failed_connect);
  if (!never_used) return fail(client, &failed_cut);
  /* A server may close a kept-alive connection while the next request is on its way. */
  disconnect(client);
  reconnects++;
  connect_run(client);
}

static void read_client(struct client *client) {
  static char buffer[READ_BYTES];
  ssize_t count = recv(client->fd, buffer, sizeof buffer, 0);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return lose_connection(client);
  now = now_ns();
  bytes += count;
  current = client;
  read_response(&client->response, buffer, (size_t)count);
  if (client->response.part == WHOLE && client->run >= 0) finish_run(client);
}

static void handle(struct client *client, uint32_t events) {
  if (client->fd < 0) return;
  if (!client->connected && events & EPOLLOUT && !(events & (EPOLLERR | EPOLLHUP))) {
    client->connected = 1;
    watch(client, EPOLL_CTL_MOD, EPOLLIN);
    if (client->run >= 0) send_run(client);
  } else {
    read_client(client);
  }
}

static void close_due_clients(struct client *clients) {
  for (int i = 0; i < concurrency; i++) {
    struct client *client = &clients[i];
    if (!client->close_at || now_ns() < client->close_at) continue;
    if (client->run < MAX_TRACKED_RUNS) closed_at[client->run] = now_ns();
    tokens += client->response.tokens;
    completed++;
    disconnect(client);
    end_run(client);
    start_run(client);
  }
}

static int by_value(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static void print_samples(const char *name, struct samples *samples) {
  size_t count = samples->count;
  qsort(samples->values, count, sizeof(float), by_value);
  if (!count) printf(",\"%s\":null", name);
  else
    printf(",\"%s\":{\"p50\":%.1f,\"p99\":%.1f,\"max\":%.1f}", name, samples->values[count / 2],
           samples->values[count * 99 / 100], samples->values[count - 1]);
}

static void print_ends(volatile uint64_t *ends) {
  struct samples seen = {0};
  int missed = 0;
  usleep(SEEN_WITHIN_NS / 1000);
  for (int i = 0; i < claimed && i < MAX_TRACKED_RUNS; i++) {
    if (!closed_at[i]) continue;
    if (!ends[i] || ends[i] - closed_at[i] > SEEN_WITHIN_NS) missed++;
    else add(&seen, ends[i] - closed_at[i]);
  }
  printf(",\"neverSeen\":%d", missed);
  print_samples("seenAfterMicros", &seen);
}

/* Those that asked and were not even given a status are failures of the server, not of the reader. */
static int count_unanswered(const int *readers, int count) {
  int unanswered = 0;
  char status[13];
  for (int i = 0; i < count; i++)
    if (recv(readers[i], status, 12, MSG_PEEK | MSG_DONTWAIT) != 12 || memcmp(status + 8, " 200", 4)) unanswered++;
  return unanswered;
}

static volatile sig_atomic_t released;

static void release(int signal) {
  (void)signal;
  released = 1;
}

static int *open_idle_readers(int count, const char *path) {
  int *readers = allocate((size_t)(count + 1) * sizeof(int));
  if (count) read_request_file(&idle_request, path);
  for (int i = 0; i < count; i++) {
    readers[i] = start_connection();
    struct pollfd waiting = {.fd = readers[i], .events = POLLOUT};
    if (readers[i] < 0 || poll(&waiting, 1, 10000) != 1 || !send_request(readers[i], &idle_request, i)) die("connect");
  }
  return readers;
}

int main(int count, char **arguments) {
  allow_many_files();
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server.sin_port = htons((uint16_t)number_option(count, arguments, "port", 0));
  choose_format(option(count, arguments, "format", "ag-ui"));
  read_request_file(&request, option(count, arguments, "request", ""));
  concurrency = (int)number_option(count, arguments, "concurrency", 1);
  runs = (int)number_option(count, arguments, "runs", 1);
  tokens_per_run = (int)number_option(count, arguments, "tokens", 1);
  close_after_ms = (int)number_option(count, arguments, "close_after_ms", 0);
  min_ns = (uint64_t)(atof(option(count, arguments, "min_seconds", "0")) * 1e9);
  uint64_t timeout = (uint64_t)number_option(count, arguments, "timeout_seconds", 60) * 1000000000ull;
  volatile uint64_t *ends = map_ends(option(count, arguments, "ends", NULL));
  for (int i = 0; ends && i < MAX_TRACKED_RUNS; i++) ends[i] = 0;
  poller = epoll_create1(EPOLL_CLOEXEC);

  int idle_count = (int)number_option(count, arguments, "idle_readers", 0);
  int *idle_readers = open_idle_readers(idle_count, option(count, arguments, "idle_request", ""));
  signal(SIGTERM, release);
  for (long left = number_option(count, arguments, "hold_seconds", 0) * 10; left > 0 && !released; left--) usleep(100000);

  struct client *clients = allocate((size_t)concurrency * sizeof *clients);
  uint64_t ramp_ns = (uint64_t)number_option(count, arguments, "ramp_ms", 0) * 1000000;
  for (int i = 0; i < concurrency; i++) clients[i].fd = -1;
  start = last_completion = now_ns();
  for (int begun = 0; (active || begun < concurrency) && now_ns() - start < timeout;) {
    while (begun < concurrency && (now_ns() - start) * (uint64_t)concurrency >= ramp_ns * (uint64_t)begun)
      start_run(&clients[begun++]);
    struct epoll_event events[EVENTS];
    int ready = epoll_wait(poller, events, EVENTS, close_after_ms || begun < concurrency ? 1 : 100);
    for (int i = 0; i < ready; i++) handle(events[i].data.ptr, events[i].events);
    if (close_after_ms) close_due_clients(clients);
  }
  failed_timeout = active;
  double seconds = (double)((active ? now_ns() : last_completion) - start) / 1e9;
  for (int i = 0; i < concurrency; i++)
    if (clients[i].run >= 0) tokens += clients[i].response.tokens;
  printf("{\"runs\":%d,\"completed\":%d,\"tokens\":%lld,\"bytes\":%lld,\"seconds\":%.4f,\"reconnects\":%d", claimed,
         completed, tokens, bytes, seconds, reconnects);
  printf(",\"failures\":{\"connect\":%d,\"status\":%d,\"error\":%d,\"cut\":%d,\"unfinished\":%d,\"tokens\":%d,"
         "\"timeout\":%d,\"unanswered\":%d}",
         failed_connect, failed_status, failed_error, failed_cut, failed_unfinished, failed_tokens, failed_timeout,
         count_unanswered(idle_readers, idle_count));
  print_samples("firstTokenMicros", &first_tokens);
  print_samples("delayMicros", &delays);
  if (ends) print_ends(ends);
  printf("}\n");
}
