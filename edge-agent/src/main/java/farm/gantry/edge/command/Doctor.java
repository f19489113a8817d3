package farm.gantry.edge.command;

import farm.gantry.edge.json.Json;
import farm.gantry.edge.link.Api;
import farm.gantry.edge.link.Configuration;
import farm.gantry.edge.link.Credentials;
import farm.gantry.edge.log.Secrets;
import farm.gantry.edge.log.Words;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.provider.Providers;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Checks what an agent needs, and says what to do about each thing that is missing. */
public record Doctor(Path data, boolean json) {
    private static final Duration SKEW = Duration.ofSeconds(30);
    private static final int PRINTER_SECONDS = 8;
    private static final String CHECK = "; check that it is on, and its host, port and key";
    private static final long ROOM_MEGABYTES = 500;

    @Serdeable
    record Finding(boolean well, String what, String remedy) {
        /** What is well needs none. */
        Finding {
            remedy = well ? "" : remedy;
        }

        String line() {
            return well ? "ok    " + what : "FAIL  " + what + ": " + remedy;
        }
    }

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        findings.addAll(folder());
        try {
            Optional<Credentials> credentials = Credentials.in(data);
            findings.add(new Finding(
                    credentials.isPresent(),
                    "paired",
                    "make a pairing code and run: gantry-agent pair --api URL --code CODE"));
            if (credentials.isPresent()) {
                findings.addAll(api(credentials.get()));
            }
            Optional<StatusReport> report = new RunningAgent(data).report();
            findings.add(new Finding(report.isPresent(), "agent running", "start it: gantry-agent run"));
            if (report.isPresent()) {
                findings.addAll(running(report.get()));
            } else {
                for (PrinterConfig config : new Configuration(data).read()) {
                    findings.add(printer(config));
                }
            }
        } catch (IOException e) {
            findings.add(new Finding(false, "agent files readable", Words.of(e)));
        }
        String found = json
                ? Json.write(Finding.class, findings)
                : String.join("\n", findings.stream().map(Finding::line).toList());
        out.println(Secrets.hide(found));
        return findings.stream().allMatch(Finding::well) ? 0 : 1;
    }

    private List<Finding> folder() {
        String what = "data folder " + data + " writable";
        try {
            Files.delete(Files.createTempFile(Files.createDirectories(data), "doctor", ""));
            long megabytes = Files.getFileStore(data).getUsableSpace() >> 20;
            return List.of(
                    new Finding(true, what, ""),
                    new Finding(
                            megabytes >= ROOM_MEGABYTES,
                            "room on its disk",
                            "only " + megabytes + " MB are free; make room, or give --cache-megabytes"));
        } catch (IOException e) {
            return List.of(new Finding(false, what, Words.of(e) + "; run as the agent's user, or give --data"));
        }
    }

    private static List<Finding> api(Credentials credentials) throws InterruptedException {
        String what = "API at " + credentials.api() + " reachable";
        try {
            Optional<Instant> time = Api.at(credentials.api()).time();
            Duration skew = Duration.between(time.orElse(Instant.now()), Instant.now());
            return List.of(
                    new Finding(true, what, ""),
                    new Finding(
                            skew.abs().compareTo(SKEW) < 0,
                            "clock right",
                            "it differs from the API's by " + skew.toSeconds() + " s; turn on NTP"));
        } catch (IOException e) {
            return List.of(new Finding(false, what, Words.of(e) + "; check the network, the proxy and the address"));
        }
    }

    /** What the running agent knows is not asked of the printers again: some take few visitors. */
    private static List<Finding> running(StatusReport report) {
        List<Finding> findings = new ArrayList<>();
        findings.add(new Finding(report.connected(), "link to the API up", report.reason()));
        report.printers()
                .forEach(printer -> findings.add(new Finding(
                        printer.isOnline(), reachable(printer.name(), printer.deviceId()), printer.reason() + CHECK)));
        return findings;
    }

    private static String reachable(String name, String deviceId) {
        return "printer " + name + " (" + deviceId + ") reachable";
    }

    private Finding printer(PrinterConfig config) throws InterruptedException {
        String what = reachable(config.name(), config.deviceId());
        CompletableFuture<String> heard = new CompletableFuture<>();
        Provider.Listener listener = new Provider.Listener() {
            @Override
            public void saw(Reading reading, boolean afterGap) {
                heard.complete("");
            }

            @Override
            public void lost(String reason) {
                heard.complete(reason);
            }
        };
        Provider provider = Providers.of(config).keeping(data.resolve(Run.PRINTERS));
        try (Connection _ = provider.connect(config, listener)) {
            String reason = heard.get(PRINTER_SECONDS, TimeUnit.SECONDS);
            return new Finding(reason.isEmpty(), what, reason + CHECK);
        } catch (ExecutionException | TimeoutException e) {
            return new Finding(false, what, "no answer" + CHECK);
        }
    }
}
