import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.FailureMode;
import net.spy.memcached.KetamaConnectionFactory;
import net.spy.memcached.KetamaNodeKeyFormatter;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.NodeLocator;

/**
 * Writes spymemcached.golden: where spymemcached puts keys.
 *
 * <pre>java -cp /usr/share/java/spymemcached.jar Spymemcached.java > spymemcached.golden</pre>
 */
class Spymemcached {
  static final int KEYS = 300;
  static final int KEYS_PER_LINE = 50;
  static final String TAIL = "abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ";

  /** A server as in the golden file, and its address. */
  record Server(String text, InetSocketAddress address, int weight) {}

  /** A server given by its IPv4 address. */
  static Server ip(int last, int port, int weight) throws Exception {
    var ip = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
    return new Server("10.0.0." + last + ":" + port + ":" + weight, new InetSocketAddress(ip, port), weight);
  }

  /** A server given by a host name, which was looked up. */
  static Server host(String name, int last, int port, int weight) throws Exception {
    var ip = InetAddress.getByAddress(name, new byte[] {10, 0, 0, (byte) last});
    var address = new InetSocketAddress(ip, port);
    return new Server(name + ":" + port + ":" + weight + " " + address, address, weight);
  }

  /** A node that has an address and nothing else. */
  static MemcachedNode node(InetSocketAddress address) {
    return (MemcachedNode) Proxy.newProxyInstance(Spymemcached.class.getClassLoader(),
        new Class<?>[] {MemcachedNode.class}, (self, method, arguments) -> switch (method.getName()) {
          case "getSocketAddress" -> address;
          case "hashCode" -> address.hashCode();
          case "equals" -> self == arguments[0];
          default -> throw new UnsupportedOperationException(method.getName());
        });
  }

  static void pool(String name, String layout, String prefix, Server... servers) {
    List<MemcachedNode> nodes = new ArrayList<>();
    Map<InetSocketAddress, Integer> weights = new HashMap<>();
    boolean weighted = false;
    for (Server s : servers) {
      nodes.add(node(s.address));
      weights.put(s.address, s.weight);
      weighted |= s.weight != 1;
    }
    NodeLocator locator;
    if (layout.equals("spymemcached")) {
      locator = new DefaultConnectionFactory().createLocator(nodes);
    } else {
      locator = new KetamaConnectionFactory(1, 1, 1, DefaultHashAlgorithm.KETAMA_HASH,
          KetamaNodeKeyFormatter.Format.SPYMEMCACHED, weighted ? weights : Map.of()).createLocator(nodes);
    }
    System.out.printf("%npool %s%nlayout %s%nprefix %s%ntail %s%n", name, layout, prefix, TAIL);
    for (Server s : servers) {
      System.out.println("server " + (layout.equals("spymemcached") ? s.text.split(" ")[0] : s.text));
    }
    for (int i = 0; i < KEYS; i++) {
      String key = prefix + i + TAIL.substring(0, i % (TAIL.length() + 1));
      System.out.printf("%s%02x%s", i % KEYS_PER_LINE == 0 ? "keys " : "",
          nodes.indexOf(locator.getPrimary(key)), i % KEYS_PER_LINE == KEYS_PER_LINE - 1 ? "\n" : "");
    }
  }

  static Server[] equals(int count) throws Exception {
    Server[] servers = new Server[count];
    for (int i = 0; i < count; i++) {
      servers[i] = ip(i + 1, 11211, 1);
    }
    return servers;
  }

  public static void main(String[] arguments) throws Exception {
    System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SunLogger");
    System.out.println("# Made with Debian's libspymemcached-java 2.12.3 by Spymemcached.java, which lies beside this file.");
    Server[] kinds = {ip(1, 11211, 1), ip(2, 11311, 1), host("cache-a", 3, 11211, 1), host("cache-b", 4, 22122, 1)};
    for (String layout : new String[] {"spymemcached", "spymemcached-ketama"}) {
      pool("several kinds", layout, "key:", kinds);
      pool("keys that are not ASCII", layout, "clé€😀:", kinds);
      pool("twenty-five equals", layout, "key:", equals(25));
    }
    pool("weights", "spymemcached-ketama", "key:", ip(1, 11211, 1), ip(2, 11311, 2), host("cache-a", 3, 11211, 3));
    pool("uneven weights", "spymemcached-ketama", "key:", ip(1, 11211, 1), ip(2, 11211, 100), ip(3, 11211, 1000));
  }
}
