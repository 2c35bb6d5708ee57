// spymemcached: java -cp /usr/share/java/spymemcached.jar java-spymemcached.java <host:port> binary [refused]

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.auth.AuthDescriptor;
import net.spy.memcached.auth.PlainCallbackHandler;
import net.spy.memcached.internal.OperationFuture;

class Spymemcached {
  /** Seconds, for what is bound to happen. */
  private static final int PATIENCE = 20;

  private static final Logger LOGGER = Logger.getLogger("net.spy.memcached");
  private static final byte[] BINARY = new byte[256];
  private static final byte[] LARGE = new byte[1024 * 1024 - 512];
  private static final Map<String, Object> MANY = new LinkedHashMap<>();

  private static MemcachedClient client;
  private static int checks;

  public static void main(String[] args) throws Exception {
    System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SunLogger");
    LOGGER.setLevel(Level.OFF);
    System.out.println("spymemcached " + version());
    for (int i = 0; i < BINARY.length; i++) {
      BINARY[i] = (byte) i;
    }
    new Random(1).nextBytes(LARGE);
    for (int i = 0; i < 40; i++) {
      MANY.put("many" + i, "value " + i);
    }
    boolean refused = List.of(args).contains("refused");
    client = connect(args[0]);
    if (refused) {
      refused();
    } else {
      all();
    }
    System.out.println(checks + " checks\nok");
    System.exit(0); // threads of the client may still try to connect
  }

  /** The client does not know its version, but Debian does. */
  private static String version() throws Exception {
    Process query = new ProcessBuilder("dpkg-query", "-W", "-f", "${Version}", "libspymemcached-java").start();
    return new String(query.getInputStream().readAllBytes()).replaceAll("[+-].*", "");
  }

  private static MemcachedClient connect(String address) throws Exception {
    ConnectionFactoryBuilder factory = new ConnectionFactoryBuilder();
    factory.setProtocol(ConnectionFactoryBuilder.Protocol.BINARY); // TEXT by default
    // Every call to a proxy is answered within its --timeout, so this may be well above that.
    factory.setOpTimeout(TimeUnit.SECONDS.toMillis(PATIENCE));
    String user = System.getenv("MEMCACHED_USERNAME");
    if (user != null) {
      PlainCallbackHandler login = new PlainCallbackHandler(user, System.getenv("MEMCACHED_PASSWORD"));
      factory.setAuthDescriptor(new AuthDescriptor(new String[] {"PLAIN"}, login));
    }
    String[] parts = address.split(":");
    return new MemcachedClient(factory.build(), List.of(new InetSocketAddress(parts[0], Integer.parseInt(parts[1]))));
  }

  private static void all() throws Exception {
    client.flush().get();
    for (String key : List.of("a", "b", "c", "d")) { // enough for two memcacheds to get some
      storage(key);
      cas(key);
      numbers(key);
    }
    expiry("e");
    many();
    limits();
    server();
    freeze();
  }

  private static void check(String operation, Object expected, Object got) {
    checks++;
    if (!Objects.deepEquals(expected, got)) {
      System.err.printf("spymemcached: %s: expected %.200s, got %.200s%n", operation, expected, got);
      System.exit(1);
    }
  }

  /** Expects a change to fail, and says why. */
  private static void fails(String operation, String why, OperationFuture<Boolean> change) throws Exception {
    check(operation, false, change.get());
    check(operation + ": status", why, change.getStatus().getMessage());
  }

  private static void storage(String key) throws Exception {
    check("get missing", null, client.get(key));
    fails("replace missing", "Not found", client.replace(key, 0, "x"));
    fails("append missing", "Not stored.", client.append(key, "x"));
    fails("prepend missing", "Not stored.", client.prepend(key, "x"));
    check("add", true, client.add(key, 0, "first").get());
    fails("add again", "Data exists for key.", client.add(key, 0, "second"));
    check("get added", "first", client.get(key));
    check("replace", true, client.replace(key, 0, "second").get());
    check("append", true, client.append(key, " third").get());
    check("prepend", true, client.prepend(key, "zeroth ").get());
    check("get appended", "zeroth second third", client.get(key));
    for (Object value : new Object[] {"", BINARY, "Grüße, 世界", LARGE, 17, List.of(1, "two")}) {
      check("set", true, client.set(key, 0, value).get());
      check("get set", value, client.get(key));
    }
    check("delete", true, client.delete(key).get());
    fails("delete missing", "Not found", client.delete(key));
  }

  private static void cas(String key) throws Exception {
    check("gets missing", null, client.gets(key));
    check("cas missing", CASResponse.NOT_FOUND, client.cas(key, 1, "x"));
    client.set(key, 0, "one").get();
    CASValue<Object> found = client.gets(key);
    check("gets", "one", found.getValue());
    check("cas", CASResponse.OK, client.cas(key, found.getCas(), "two"));
    check("cas conflict", CASResponse.EXISTS, client.cas(key, found.getCas(), "three"));
    check("delete conflict", false, client.delete(key, found.getCas()).get());
    check("get swapped", "two", client.get(key));
    client.delete(key).get();
  }

  private static void numbers(String key) throws Exception {
    check("incr missing", -1L, client.incr(key, 1));
    check("incr from a default", 7L, client.incr(key, 5, 7L));
    check("incr", 12L, client.incr(key, 5, 7L));
    check("decr", 9L, client.decr(key, 3));
    check("decr below 0", 0L, client.decr(key, 100));
    client.set(key, 0, "no number").get();
    check("incr of no number", -1L, client.incr(key, 1)); // as of a missing one
    check("get after an error", "no number", client.get(key));
    client.delete(key).get();
  }

  /** Expects call to raise an error, and returns what it and its causes say. */
  private static String raises(Callable<Object> call) {
    try {
      return "returned " + call.call();
    } catch (Exception e) {
      StringBuilder said = new StringBuilder();
      for (Throwable t = e; t != null; t = t.getCause()) {
        said.append(t).append('\n');
      }
      return said.toString();
    }
  }

  private static void expiry(String key) throws Exception {
    fails("touch missing", "Not found", client.touch(key, 10));
    client.set(key, 100, "x").get();
    check("touch", true, client.touch(key, 200).get());
    check("getAndTouch", "x", client.getAndTouch(key, 300).getValue());
    check("touch into the past", true, client.touch(key, 1_000_000_000).get());
    check("get expired", null, client.get(key));
  }

  private static void many() throws Exception {
    for (Map.Entry<String, Object> item : MANY.entrySet()) {
      client.set(item.getKey(), 0, item.getValue()).get();
    }
    List<String> keys = List.copyOf(MANY.keySet());
    check("getBulk", MANY, client.getBulk(keys));
    Future<Map<String, Object>> some = client.asyncGetBulk("many1", "nobody", "many2");
    check("asyncGetBulk", Map.of("many1", "value 1", "many2", "value 2"), some.get());
  }

  private static void limits() throws Exception {
    for (String key : List.of("k".repeat(250), "k".repeat(249) + "l")) {
      check("set of a key of 250 bytes", true, client.set(key, 0, "x").get());
      check("get of a key of 250 bytes", "x", client.get(key));
    }
    client.set("large", 0, "small").get();
    byte[] more = Arrays.copyOf(LARGE, 2 * LARGE.length);
    new Random(2).nextBytes(more);
    fails("set of a value too large", "Too large.", client.set("large", 0, more));
    check("get of a value too large", null, client.get("large"));
  }

  private static void server() throws Exception {
    check("getVersions", true, client.getVersions().values().iterator().next().startsWith("1.6."));
    check("getStats", true, client.getStats().values().iterator().next().get("version").startsWith("1.6."));
    check("flush", true, client.flush().get());
    check("getBulk flushed", Map.of(), client.getBulk(MANY.keySet()));
  }

  /** With one of two memcacheds frozen, its keys get the proxy's refusal, and the others are served. */
  private static void freeze() throws Exception {
    for (Map.Entry<String, Object> item : MANY.entrySet()) {
      client.set(item.getKey(), 0, item.getValue()).get();
    }
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("freeze");
    if (!"frozen".equals(in.readLine())) {
      return;
    }
    int served = 0;
    for (String key : MANY.keySet()) {
      OperationFuture<Boolean> added = client.add(key, 0, "x");
      check("add while frozen", false, added.get());
      if (added.getStatus().getMessage().equals("Data exists for key.")) {
        served++;
        check("get while frozen", MANY.get(key), client.get(key));
      } else {
        check("error while frozen", true, added.getStatus().getMessage().startsWith("upstream "));
      }
    }
    check("some keys served while frozen", true, 0 < served && served < MANY.size());
    System.out.println("thaw");
    check("thaw", "thawed", in.readLine());
    check("getBulk when thawed", MANY, client.getBulk(MANY.keySet()));
  }

  /** With a wrong password, it tries to authenticate again and again, and no call gets an answer. */
  private static void refused() {
    check("set with a wrong password", true, raises(() -> client.set("kept", 0, "x").get(1, TimeUnit.SECONDS)).contains("Timeout"));
    check("get with a wrong password", true, raises(() -> client.asyncGet("kept").get(1, TimeUnit.SECONDS)).contains("Timeout"));
  }
}
