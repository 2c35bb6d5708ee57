/*
 * Writes libmemcached.golden: where libmemcached puts keys in a number of pools.
 *
 *     cc -o golden libmemcached.c -lmemcached && ./golden > libmemcached.golden
 */
#include <libmemcached/memcached.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 2000, KEYS_PER_LINE = 50, MAX_SERVERS = 256 };

/* Keys of many lengths and bytes come from a tail. */
static const char some_tail[] = "abcdefghij-\u00e9\u00e0\u00fc\u20ac-KLMNOPQRSTUVWXYZ-0123456789-klmnopqrstuvwxyz";

/* What the pools that follow are made with. */
static memcached_behavior_t behavior;
static const char *layout, *tail = "";
static int keys;

struct server {
  const char *name; /* host, or path of a unix socket */
  int port;         /* 0 for a unix socket */
  unsigned weight;
};

static void check(memcached_return_t rc) {
  if (memcached_failed(rc)) {
    fprintf(stderr, "golden: %s\n", memcached_strerror(NULL, rc));
    exit(1);
  }
}

static void add(memcached_st *memc, struct server s) {
  if (s.port == 0) {
    printf("server unix:%s:%u\n", s.name, s.weight);
    check(memcached_server_add_unix_socket_with_weight(memc, s.name, s.weight));
    return;
  }
  printf(strchr(s.name, ':') ? "server [%s]:%d:%u\n" : "server %s:%d:%u\n", s.name, s.port,
         s.weight);
  check(memcached_server_add_with_weight(memc, s.name, (in_port_t) s.port, s.weight));
}

static void locate(memcached_st *memc) {
  for (int i = 0; i < keys; i++) {
    char key[128];
    int length = snprintf(key, sizeof(key), "key:%d%.*s", i, i % (int) (strlen(tail) + 1), tail);
    printf("%s%02x%s", i % KEYS_PER_LINE == 0 ? "keys " : "",
           memcached_generate_hash(memc, key, (size_t) length),
           i % KEYS_PER_LINE == KEYS_PER_LINE - 1 ? "\n" : "");
  }
}

static void pool(const char *name, const struct server *servers, int count) {
  memcached_st *memc = memcached_create(NULL);
  if (behavior != MEMCACHED_BEHAVIOR_NO_BLOCK) {
    check(memcached_behavior_set(memc, behavior, 1));
  }
  printf("\npool %s\nlayout %s\n", name, layout);
  if (*tail) {
    printf("tail %s\n", tail);
  }
  for (int i = 0; i < count; i++) {
    add(memc, servers[i]);
  }
  locate(memc);
  memcached_free(memc);
}

/* A pool of servers that differ in their addresses alone. */
static void equals(const char *name, int count) {
  static char hosts[MAX_SERVERS][32];
  struct server servers[MAX_SERVERS];
  for (int i = 0; i < count; i++) {
    snprintf(hosts[i], sizeof(hosts[i]), "10.0.0.%d", i + 1);
    servers[i] = (struct server){hosts[i], 11211, 1};
  }
  pool(name, servers, count);
}

#define POOL(name, ...)                                                                            \
  do {                                                                                             \
    const struct server servers[] = {__VA_ARGS__};                                                 \
    pool(name, servers, (int) (sizeof(servers) / sizeof(*servers)));                               \
  } while (0)

static void weighted_ketama(void) {
  layout = "libmemcached-ketama-weighted";
  behavior = MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED;
  keys = MOST_KEYS;
  equals("one", 1);
  equals("two equals", 2);
  equals("ten equals", 10);
  equals("a hundred equals", 100);
  equals("twenty-five equals: 39 hashes each", 25);

  POOL("weights 1 to 5", {"10.0.0.1", 11211, 1}, {"10.0.0.2", 11211, 2}, {"10.0.0.3", 11211, 3},
       {"10.0.0.4", 11211, 4}, {"10.0.0.5", 11211, 5});
  POOL("uneven weights", {"a.example", 11211, 1}, {"b.example", 11211, 100},
       {"c.example", 11211, 1000});
  POOL("great weights", {"a.example", 11211, 65535}, {"b.example", 11211, 65534},
       {"c.example", 11211, 32767});
  POOL("default port and another", {"cache-a", 11211, 1}, {"cache-b", 11311, 1});
  POOL("three ports of a host", {"localhost", 11211, 1}, {"localhost", 11212, 1},
       {"localhost", 11213, 2});
  POOL("IPv6", {"::1", 11211, 1}, {"2001:db8::2", 11222, 1});
  POOL("a unix socket among TCP", {"10.0.0.1", 11211, 1}, {"/run/memcached.sock", 0, 2},
       {"10.0.0.2", 11222, 1});

  /* A point of the one and a point of the other have the same value. */
  POOL("tie", {"cache25", 11211, 1}, {"cache501", 11211, 1});
  POOL("tie reversed", {"cache501", 11211, 1}, {"cache25", 11211, 1});

  keys = 300;
  tail = some_tail;
  equals("seven equals, keys of many lengths", 7);
}

static void others(void) {
  equals("seven equals", 7);
  POOL("several kinds", {"cache-a", 11211, 1}, {"cache-b", 11311, 1}, {"/run/memcached.sock", 0, 1},
       {"::1", 11211, 1}, {"2001:db8::2", 11222, 1});
}

int main(void) {
  printf("# Made with libmemcached %s by libmemcached.c, which lies beside this file:\n"
         "# memcached_behavior_set(MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED or _KETAMA, 1) or\n"
         "# nothing, then memcached_server_add_with_weight, or for a path\n"
         "# memcached_server_add_unix_socket_with_weight, then memcached_generate_hash.\n",
         memcached_lib_version());
  weighted_ketama();

  /* Any other behavior, meaning that none is set. */
  behavior = MEMCACHED_BEHAVIOR_NO_BLOCK;
  layout = "libmemcached";
  others();

  behavior = MEMCACHED_BEHAVIOR_KETAMA;
  layout = "libmemcached-ketama";
  others();
  POOL("weights 1 to 3", {"10.0.0.1", 11211, 1}, {"10.0.0.2", 11211, 2}, {"10.0.0.3", 11311, 3});
  return 0;
}
