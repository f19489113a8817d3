package farm.gantry.local;

import farm.gantry.Id;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Clients that read and create records without a pause, and never repeat a request. */
final class ConstantLoad {
    private static final int CLIENTS = 4;
    private static final int REQUESTS = 200;

    private final FarmApiClient api;
    private final AtomicLong count = new AtomicLong();
    private final Queue<String> lost = new ConcurrentLinkedQueue<>();
    private final List<Thread> clients;
    private volatile boolean isStopping;

    ConstantLoad(FarmApiClient api) {
        this.api = api;
        this.clients = IntStream.range(0, CLIENTS)
                .mapToObj(_ -> Thread.ofVirtual().start(this::sendRequests))
                .toList();
    }

    private void sendRequests() {
        try {
            while (!isStopping) {
                String name = Id.next();
                check("POST", api.attempt("POST", "/v1/folders", Map.of("name", name, "type", "part"), name), 201);
                check("GET", api.attempt("GET", "/v1/folders?limit=1", Map.of(), name), 200);
            }
        } catch (IOException e) {
            lost.add(String.valueOf(e));
        }
    }

    private void check(String method, FarmApiClient.Reply reply, int expected) {
        count.incrementAndGet();
        if (reply.status() != expected) {
            lost.add(method + " " + reply.status() + " " + reply.body());
        }
    }

    long count() {
        return count.get();
    }

    void awaitMoreRequests() {
        long before = count.get();
        Eventually.until("more requests are answered", () -> count.get() > before + REQUESTS, lost::toString);
    }

    /** Ends the load and returns the requests that got another response than expected, or none. */
    List<String> stop() throws InterruptedException {
        isStopping = true;
        for (Thread client : clients) {
            client.join();
        }
        return List.copyOf(lost);
    }
}
