package farm.gantry.edge.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.edge.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The agent's own page, for people at its machine: bound to loopback, and deaf to names that only resolve to it. */
record StatusPage(HttpServer server) implements AutoCloseable {

    static StatusPage open(int port, Supplier<StatusReport> report) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext(
                "/status.json", exchange -> answer(exchange, "application/json", Json.write(report.get())));
        server.createContext("/", exchange -> answer(exchange, "text/html; charset=utf-8", html(report.get())));
        server.start();
        return new StatusPage(server);
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, String type, String text) throws IOException {
        try (exchange) {
            String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
            boolean local = host.matches("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");
            byte[] body = (local ? text : "not here").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", local ? type : "text/plain");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(local ? 200 : 403, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String html(StatusReport report) {
        String rows = report.printers().stream()
                .map(StatusReport.Served::line)
                .map(StatusPage::escaped)
                .collect(Collectors.joining("\n"));
        String api = report.connected() ? "connected to " : "not connected to ";
        return """
                <!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="5">
                <title>Gantry agent</title><h1>Gantry agent %s</h1><p>%s since %s</p><pre>%s</pre>
                """.formatted(
                escaped(report.agentId()), escaped(api + report.api() + " " + report.reason()), report.since(), rows);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
