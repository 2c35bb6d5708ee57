// spymemcached: java -cp /usr/share/java/spymemcached.jar java-spymemcached.java <host:port> binary

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.internal.OperationFuture;

class Spymemcached {
  private static MemcachedClient client;

  public static void main(String[] args) throws Exception {
    System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SunLogger");
    Logger.getLogger("net.spy.memcached").setLevel(Level.OFF);
    ConnectionFactoryBuilder factory = new ConnectionFactoryBuilder();
    factory.setProtocol(ConnectionFactoryBuilder.Protocol.BINARY);
    factory.setOpTimeout(20_000);
    String[] parts = args[0].split(":");
    client = new MemcachedClient(factory.build(), List.of(new InetSocketAddress(parts[0], Integer.parseInt(parts[1]))));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = lines.readLine()) != null; ) {
      System.out.println(answer(line.split(" ")));
    }
    System.exit(0); // threads of the client may still try to connect
  }

  private static String answer(String[] words) {
    try {
      if (words[0].equals("set")) {
        OperationFuture<Boolean> set = client.set(words[1], 0, words[2]);
        return set.get() ? "stored" : "error " + set.getStatus().getMessage();
      }
      Map<String, Object> values = new TreeMap<>();
      if (words[0].equals("multi")) {
        values.putAll(client.getBulk(Arrays.asList(words).subList(1, words.length)));
      } else {
        values.put(words[1], client.get(words[1]));
      }
      StringBuilder found = new StringBuilder();
      values.forEach((key, value) -> found.append(value == null ? "" : key + "=" + value + " "));
      return found.toString().trim();
    } catch (Exception e) {
      return "error " + e.toString().replace('\n', ' ');
    }
  }
}
