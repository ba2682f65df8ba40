/* Reading a streamed answer: HTTP/1.1 framing first, then lines, of which the tokens are counted. */
#ifndef BENCH_RESPONSE_H
#define BENCH_RESPONSE_H

#include "common.h"

#define MAX_LINE_BYTES 65536
#define MAX_HEAD_BYTES 4096

/* What a token and a proper end look like in the answer's lines. */
struct format {
  const char *name, *token, *end, *error;
};

static const struct format formats[] = {
    {"ag-ui", "\"TEXT_MESSAGE_CONTENT\"", "\"RUN_FINISHED\"", "\"RUN_ERROR\""},
    {"openai", "\"delta\":{\"content\":\"", "data: [DONE]", "\"error\":"},
    {"ui-message", "\"text-delta\"", "data: [DONE]", "\"type\":\"error\""},
    {"listing", "\"content\":\"@", "data: [DONE]", "\"type\":\"error\""},
};

enum part { HEAD, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, FIXED, UNTIL_CLOSE, WHOLE };

struct response {
  enum part part;
  int status, closes, ended, failed;
  long tokens;
  uint64_t left; /* bytes of the chunk, or of the body of fixed length */
  char *line;    /* the beginning of a line whose rest has not come yet */
  size_t line_length, line_capacity;
};

static const struct format *format;
static size_t token_length, token_offset;
static void on_token(struct response *response, const char *line, size_t length);

static inline void choose_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (!strcmp(formats[i].name, name)) format = &formats[i];
  if (!format) die("format is ag-ui, openai, ui-message or listing");
  token_length = strlen(format->token);
}

static inline int holds(const char *line, size_t length, const char *text) {
  return memmem(line, length, text, strlen(text)) != NULL;
}

static inline void read_line(struct response *response, const char *line, size_t length) {
  if (length < token_length) {
    if (length && holds(line, length, format->end)) response->ended = 1;
    return;
  }
  /* Tokens have their mark where the last one had it: one comparison instead of a search. */
  if (length < token_offset + token_length || memcmp(line + token_offset, format->token, token_length)) {
    const char *found = memmem(line, length, format->token, token_length);
    if (!found) {
      if (holds(line, length, format->end)) response->ended = 1;
      else if (holds(line, length, format->error)) response->failed = 1;
      return;
    }
    token_offset = (size_t)(found - line);
  }
  response->tokens++;
  on_token(response, line, length);
}

static inline void keep(struct response *response, const char *data, size_t length) {
  size_t needed = response->line_length + length;
  if (needed > MAX_LINE_BYTES) die("a line of the answer is too long");
  if (needed > response->line_capacity) {
    response->line_capacity = needed < 1024 ? 1024 : MAX_LINE_BYTES;
    response->line = realloc(response->line, response->line_capacity);
    if (!response->line) die("out of memory");
  }
  memcpy(response->line + response->line_length, data, length);
  response->line_length = needed;
}

static inline void read_body(struct response *response, const char *data, size_t length) {
  const char *end = data + length;
  while (data < end) {
    const char *newline = memchr(data, '\n', (size_t)(end - data));
    if (!newline) return keep(response, data, (size_t)(end - data));
    if (response->line_length) {
      keep(response, data, (size_t)(newline - data));
      read_line(response, response->line, response->line_length);
      response->line_length = 0;
    } else {
      read_line(response, data, (size_t)(newline - data));
    }
    data = newline + 1;
  }
}

/* Status and framing, from the head that ends in an empty line. */
static inline void read_head(struct response *response, char *text) {
  response->status = atoi(text + 9);
  response->closes = strcasestr(text, "\r\nconnection: close") != NULL;
  const char *length = strcasestr(text, "\r\ncontent-length:");
  if (strcasestr(text, "\r\ntransfer-encoding: chunked")) response->part = CHUNK_SIZE;
  else if (length) response->part = FIXED;
  else response->part = UNTIL_CLOSE;
  if (length) response->left = strtoull(length + 17, NULL, 10);
  if (response->part == FIXED && !response->left) response->part = WHOLE;
}

static inline const char *read_chunk_size(struct response *response, const char *data, const char *end) {
  for (; data < end; data++) {
    char c = *data;
    if (c == '\n') {
      response->part = response->left ? CHUNK_DATA : TRAILER;
      return data + 1;
    }
    if (c != '\r') response->left = response->left * 16 + (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return data;
}

/* After the last chunk: header lines, which nobody sends, and an empty line. */
static inline const char *read_trailer(struct response *response, const char *data, const char *end) {
  for (; data < end; data++) {
    if (*data == '\n') {
      if (!response->left) {
        response->part = WHOLE;
        return data + 1;
      }
      response->left = 0;
    } else if (*data != '\r') {
      response->left++;
    }
  }
  return data;
}

static inline const char *read_head_bytes(struct response *response, const char *data, const char *end) {
  size_t before = response->line_length;
  if (end - data > MAX_HEAD_BYTES) end = data + MAX_HEAD_BYTES;
  keep(response, data, (size_t)(end - data));
  keep(response, "", 1);
  char *stop = strstr(response->line, "\r\n\r\n");
  if (!stop) {
    response->line_length--;
    return end;
  }
  stop[2] = 0;
  response->line_length = 0;
  read_head(response, response->line);
  return data + (stop + 4 - response->line - (long)before);
}

/* Takes the next bytes of the connection. The answer is complete when `part` is WHOLE. */
static inline void read_response(struct response *response, const char *data, size_t length) {
  const char *end = data + length;
  while (data < end && response->part != WHOLE) {
    size_t rest = (size_t)(end - data);
    switch (response->part) {
      case HEAD: data = read_head_bytes(response, data, end); break;
      case CHUNK_SIZE: data = read_chunk_size(response, data, end); break;
      case CHUNK_END:
        if (*data++ == '\n') response->part = CHUNK_SIZE;
        break;
      case TRAILER: data = read_trailer(response, data, end); break;
      case UNTIL_CLOSE:
        read_body(response, data, rest);
        return;
      default:
        if (rest > response->left) rest = response->left;
        read_body(response, data, rest);
        data += rest;
        response->left -= rest;
        if (!response->left) response->part = response->part == FIXED ? WHOLE : CHUNK_END;
    }
  }
}

#endif
