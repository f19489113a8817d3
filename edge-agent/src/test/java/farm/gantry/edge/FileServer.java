package farm.gantry.edge;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves files with byte ranges, and can interrupt downloads. */
public final class FileServer {
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final List<String> ranges = new CopyOnWriteArrayList<>();
    private final AtomicInteger breaks = new AtomicInteger();

    public void put(String path, byte[] content) {
        files.put(path, content);
    }

    /** Interrupts this many of the next answers half way. */
    public void breakOff(int answers) {
        breaks.set(answers);
    }

    /** Returns the Range header of each request, empty where there was none. */
    public List<String> ranges() {
        return ranges;
    }

    void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI uri = exchange.getRequestURI();
            byte[] content = files.get(uri.getPath());
            if (content == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String range = exchange.getRequestHeaders().getFirst("Range");
            ranges.add(range == null ? "" : range);
            int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
            int length = content.length - from;
            exchange.sendResponseHeaders(range == null ? 200 : 206, length);
            boolean broken = breaks.getAndDecrement() > 0;
            exchange.getResponseBody().write(content, from, broken ? length / 2 : length);
            exchange.getResponseBody().flush();
        }
    }
}
