package farm.gantry.edge.command;

import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.DiscoveryResult;
import farm.gantry.edge.provider.Providers;
import farm.gantry.json.Json;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Discovers printers on this network by all discovery methods at once. */
public record DiscoverPrinters(List<Discovery> ways, Duration timeout, boolean json) {
    private static final List<String> HEAD = List.of("MAKE", "NAME", "ADDRESS", "DEVICE ID", "MODEL");

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        DiscoveryResult result = DiscoveryResult.in(ways, timeout);
        result.faults().forEach(fault -> err.println("A discovery method failed, results may be incomplete: " + fault));
        List<DiscoveredPrinter> printers = once(result.found());
        if (json) {
            out.println(Json.write(DiscoveredPrinter.class, printers));
        } else {
            lines(printers).forEach(out::println);
        }
        if (printers.isEmpty()) {
            err.println(
                    "No printer answered. Discovery does not find printers on other networks or with LAN mode off.");
        }
        return 0;
    }

    /** Removes duplicates: a printer may answer several searches, or as another provider too. */
    private static List<DiscoveredPrinter> once(List<DiscoveredPrinter> found) {
        Map<List<Object>, DiscoveredPrinter> printers = found.stream()
                .collect(Collectors.toMap(
                        printer -> List.of(printer.make(), printer.host(), printer.deviceId()),
                        printer -> printer,
                        (one, _) -> one));
        return printers.values().stream()
                .filter(printer -> found.stream().noneMatch(other -> isReally(printer, other)))
                .sorted(Comparator.comparing(DiscoveredPrinter::make)
                        .thenComparing(DiscoveredPrinter::name)
                        .thenComparing(DiscoveredPrinter::host))
                .toList();
    }

    private static boolean isReally(DiscoveredPrinter printer, DiscoveredPrinter other) {
        return Providers.of(other.make()).imitates().contains(printer.make())
                && other.host().equals(printer.host())
                && other.port() == printer.port();
    }

    private static Stream<String> lines(List<DiscoveredPrinter> printers) {
        List<List<String>> rows = Stream.concat(
                        printers.isEmpty() ? Stream.empty() : Stream.of(HEAD),
                        printers.stream().map(DiscoverPrinters::row))
                .toList();
        return rows.stream()
                .map(row -> IntStream.range(0, HEAD.size())
                        .mapToObj(column -> padded(row.get(column), width(rows, column)))
                        .collect(Collectors.joining("  "))
                        .stripTrailing());
    }

    private static List<String> row(DiscoveredPrinter printer) {
        return List.of(
                printer.make().wireName(),
                printer.name(),
                printer.host() + ":" + printer.port(),
                printer.deviceId(),
                printer.model());
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
