/* What the provider says: OpenAI's chat completion chunks as server-sent events. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include "common.h"

#define BLOCK_TOKENS 64
#define MAX_FRAME_BYTES 512
/* Events in one HTTP chunk where they come through a proxy that forwards what it has read; otherwise each has its own. */
#define COALESCED_TOKENS 16

/* JSON string literals without their quotes: lengths, escapes and multibyte characters as in real answers. */
static const char *const words[BLOCK_TOKENS] = {
    "The", " relay", " reads", " the", " provider", "'s", " stream", " as", " it", " comes", ",", " and", " forwards",
    " each", " token", " to", " the", " client", ".", "\\n\\n", "It", " never", " waits", " for", " the", " whole",
    " answer", ";", " a", " slow", " client", " slows", " only", " its", " own", " stream", ".", " In", " Zürich",
    ",", " people", " would", " say", " \\\"", "gsch", "wind", "\\\"", ",", " in", " Tokyo", " 速い", " —", " both",
    " mean", " fast", ".", " Run", "ning", " costs", " micro", "seconds", " per", " token", "."};

static const char head[] =
    "HTTP/1.1 200 OK\r\nDate: Mon, 02 Nov 2026 10:00:00 GMT\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
    "Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n"
    "X-Request-ID: req_4f1c2ab09d5e4f6d8a7b3c2e1d0f9a8b\r\nopenai-version: 2020-10-01\r\n\r\n";

static uint64_t random_state = 0x9e3779b97f4a7c15ull;

/* xorshift64*: seeded alike in every run of the benchmark. */
static inline uint32_t random_number(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t)((random_state * 0x2545f4914f6cdd1dull) >> 32);
}

static inline size_t write_chunk(char *to, const char *data, size_t length) {
  size_t size = (size_t)sprintf(to, "%zx\r\n", length);
  memcpy(to + size, data, length);
  memcpy(to + size + length, "\r\n", 2);
  return size + length + 2;
}

/* One event of the completion `id`: `delta` as JSON, and OpenAI's padding against guessing words by their length. */
static inline size_t write_event(char *to, const char *id, const char *delta, const char *finish, int obfuscate) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  char padding[48] = "";
  if (obfuscate) {
    size_t length = 1 + random_number() % 15, start = (size_t)sprintf(padding, ",\"obfuscation\":\"");
    for (size_t i = 0; i < length; i++) padding[start + i] = letters[random_number() % (sizeof letters - 1)];
    memcpy(padding + start + length, "\"", 2);
  }
  return (size_t)snprintf(to, MAX_FRAME_BYTES,
                        "data: {\"id\":\"%s\",\"object\":\"chat.completion.chunk\",\"created\":1793613600,"
                        "\"model\":\"gpt-4o-2024-08-06\",\"service_tier\":\"default\","
                        "\"system_fingerprint\":\"fp_5050236cbd\",\"choices\":[{\"index\":0,\"delta\":%s,"
                        "\"logprobs\":null,\"finish_reason\":%s}]%s}\n\n",
                        id, delta, finish, padding);
}

static inline size_t write_token_event(char *to, const char *id, const char *text, int obfuscate) {
  char delta[96];
  snprintf(delta, sizeof delta, "{\"content\":\"%s\"}", text);
  return write_event(to, id, delta, "null", obfuscate);
}

static inline size_t write_frame(char *to, const char *id, const char *delta, const char *finish, int obfuscate) {
  char event[MAX_FRAME_BYTES];
  return write_chunk(to, event, write_event(event, id, delta, finish, obfuscate));
}

static inline size_t write_token(char *to, const char *id, const char *text, int obfuscate) {
  char event[MAX_FRAME_BYTES];
  return write_chunk(to, event, write_token_event(event, id, text, obfuscate));
}

/* The frames of a block with room for a completion's id: formatting them for each run would cost more than the run. */
struct block {
  char bytes[BLOCK_TOKENS * MAX_FRAME_BYTES];
  uint32_t offsets[BLOCK_TOKENS + 1]; /* of the frames, and the end */
  uint32_t ids[BLOCK_TOKENS];
};

static struct block blocks[2][2]; /* without and with obfuscation; apart and coalesced */

static inline void prepare_block(struct block *block, int obfuscate, int tokens_per_chunk) {
  static const char id[] = "chatcmpl-00000000000000000000000000000";
  char events[COALESCED_TOKENS * MAX_FRAME_BYTES], *found = block->bytes;
  for (int i = 0; i < BLOCK_TOKENS; i += tokens_per_chunk) {
    size_t length = 0;
    for (int k = i; k < i + tokens_per_chunk; k++)
      length += write_token_event(events + length, id, words[k], obfuscate);
    uint32_t end = block->offsets[i] + (uint32_t)write_chunk(block->bytes + block->offsets[i], events, length);
    for (int k = i; k < i + tokens_per_chunk; k++) block->offsets[k + 1] = end;
  }
  for (int i = 0; i < BLOCK_TOKENS; i++, found++) {
    found = strstr(found, id);
    block->ids[i] = (uint32_t)(found - block->bytes);
  }
}

static inline void prepare_blocks(void) {
  for (int obfuscate = 0; obfuscate < 2; obfuscate++) {
    prepare_block(&blocks[obfuscate][0], obfuscate, 1);
    prepare_block(&blocks[obfuscate][1], obfuscate, COALESCED_TOKENS);
  }
}

/* The first `tokens` frames of a block, under the completion's own id. */
static inline char *copy_block(const struct block *block, const char *id, int tokens) {
  char *copy = malloc(sizeof block->bytes);
  if (!copy) die("out of memory");
  memcpy(copy, block->bytes, block->offsets[tokens]);
  for (int i = 0; i < tokens; i++) memcpy(copy + block->ids[i], id, strlen(id));
  return copy;
}

static inline size_t write_head(char *to, const char *id, int obfuscate) {
  memcpy(to, head, sizeof head - 1);
  return sizeof head - 1 +
         write_frame(to + sizeof head - 1, id, "{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}", "null",
                     obfuscate);
}

static inline size_t write_tail(char *to, const char *id, int tokens, int with_usage, int obfuscate) {
  size_t length = write_frame(to, id, "{}", "\"stop\"", obfuscate);
  if (with_usage) {
    char frame[MAX_FRAME_BYTES];
    int size = snprintf(frame, sizeof frame,
                        "data: {\"id\":\"%s\",\"object\":\"chat.completion.chunk\",\"created\":1793613600,"
                        "\"model\":\"gpt-4o-2024-08-06\",\"choices\":[],\"usage\":{\"prompt_tokens\":120,"
                        "\"completion_tokens\":%d,\"total_tokens\":%d}}\n\n",
                        id, tokens, tokens + 120);
    length += write_chunk(to + length, frame, (size_t)size);
  }
  length += write_chunk(to + length, "data: [DONE]\n\n", 14);
  memcpy(to + length, "0\r\n\r\n", 5);
  return length + 5;
}

#endif
