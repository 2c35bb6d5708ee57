import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import net.spy.memcached.ConnectionFactory;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.KetamaConnectionFactory;
import net.spy.memcached.KetamaNodeKeyFormatter.Format;
import net.spy.memcached.MemcachedClient;

/**
 * Stores keys with spymemcached:
 *
 * <pre>java -cp spymemcached.jar Spymemcached.java LAYOUT KEYS-FILE HOST:PORT[:WEIGHT]...</pre>
 */
class Spymemcached {
  /** How many keys are under way at a time; the client refuses more than 16384. */
  private static final int BATCH = 2000;

  public static void main(String[] args) throws Exception {
    List<InetSocketAddress> servers = new ArrayList<>();
    Map<InetSocketAddress, Integer> weights = new HashMap<>();
    for (String text : List.of(args).subList(2, args.length)) {
      String[] parts = text.split(":");
      InetSocketAddress server = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
      servers.add(server);
      if (parts.length > 2) {
        weights.put(server, Integer.parseInt(parts[2]));
      }
    }
    MemcachedClient client = new MemcachedClient(factory(args[0], weights), servers);
    List<String> keys = Files.readAllLines(Path.of(args[1]));
    for (int i = 0; i < keys.size(); i += BATCH) {
      store(client, keys.subList(i, Math.min(i + BATCH, keys.size())));
    }
    client.shutdown();
  }

  private static ConnectionFactory factory(String layout, Map<InetSocketAddress, Integer> weights) {
    return switch (layout) {
      case "spymemcached" -> new DefaultConnectionFactory();
      case "spymemcached-ketama" ->
          weights.isEmpty()
              ? new KetamaConnectionFactory()
              : new KetamaConnectionFactory(
                  KetamaConnectionFactory.DEFAULT_OP_QUEUE_LEN,
                  KetamaConnectionFactory.DEFAULT_READ_BUFFER_SIZE,
                  KetamaConnectionFactory.DEFAULT_OP_QUEUE_MAX_BLOCK_TIME,
                  DefaultHashAlgorithm.KETAMA_HASH,
                  Format.SPYMEMCACHED,
                  weights);
      default -> throw new IllegalArgumentException("no such layout: " + layout);
    };
  }

  private static void store(MemcachedClient client, List<String> keys) throws Exception {
    List<Future<Boolean>> stored = new ArrayList<>();
    for (String key : keys) {
      stored.add(client.set(key, 0, key));
    }
    for (Future<Boolean> s : stored) {
      if (!s.get()) {
        throw new IllegalStateException("not stored");
      }
    }
  }
}
