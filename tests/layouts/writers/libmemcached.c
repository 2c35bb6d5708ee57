/*
 * Stores keys with libmemcached:
 *
 *     cc -o libmemcached libmemcached.c -lmemcached
 *     ./libmemcached <layout> <keys-file> <host:port[:weight]>...
 */
#include <libmemcached/memcached.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *why) {
  fprintf(stderr, "libmemcached: %s: %s\n", what, why);
  exit(1);
}

static void check(memcached_return_t rc, const char *what) {
  if (memcached_failed(rc)) {
    fail(what, memcached_strerror(NULL, rc));
  }
}

static void arrange(memcached_st *memc, const char *layout) {
  if (strcmp(layout, "libmemcached-ketama") == 0) {
    check(memcached_behavior_set(memc, MEMCACHED_BEHAVIOR_KETAMA, 1), layout);
  } else if (strcmp(layout, "libmemcached-ketama-weighted") == 0) {
    check(memcached_behavior_set(memc, MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1), layout);
  } else if (strcmp(layout, "libmemcached") != 0) {
    fail(layout, "no such layout");
  }
}

static void add(memcached_st *memc, const char *server) {
  char host[256];
  unsigned port = 0, weight = 1;
  if (sscanf(server, "%255[^:]:%u:%u", host, &port, &weight) < 2) {
    fail(server, "no host:port");
  }
  check(memcached_server_add_with_weight(memc, host, (in_port_t) port, weight), server);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fail("usage", "libmemcached <layout> <keys-file> <host:port[:weight]>...");
  }
  memcached_st *memc = memcached_create(NULL);
  arrange(memc, argv[1]);
  for (int i = 3; i < argc; i++) {
    add(memc, argv[i]);
  }
  check(memcached_behavior_set(memc, MEMCACHED_BEHAVIOR_BUFFER_REQUESTS, 1), "buffering");
  check(memcached_behavior_set(memc, MEMCACHED_BEHAVIOR_NOREPLY, 1), "noreply");

  FILE *keys = fopen(argv[2], "r");
  if (keys == NULL) {
    fail(argv[2], "can't be read");
  }
  char *key = NULL;
  size_t size = 0;
  for (ssize_t length; (length = getline(&key, &size, keys)) > 0;) {
    size_t n = (size_t) length - 1; /* without the line's end */
    check(memcached_set(memc, key, n, key, n, 0, 0), "set");
  }
  free(key);
  fclose(keys);
  check(memcached_flush_buffers(memc), "flush");
  memcached_free(memc);
  return 0;
}
