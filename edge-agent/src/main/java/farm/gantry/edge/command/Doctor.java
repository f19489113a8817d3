package farm.gantry.edge.command;

import farm.gantry.edge.link.Api;
import farm.gantry.edge.link.Configuration;
import farm.gantry.edge.link.Credentials;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.provider.Providers;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
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
public record Doctor(Path data) {
    private static final Duration SKEW = Duration.ofSeconds(30);
    private static final int PRINTER_SECONDS = 8;

    private record Finding(boolean well, String what, String remedy) {}

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        findings.add(folder());
        try {
            Optional<Credentials> credentials = Credentials.in(data);
            findings.add(new Finding(
                    credentials.isPresent(),
                    "paired",
                    "make a pairing code and run: gantry-agent pair --api URL --code CODE"));
            if (credentials.isPresent()) {
                findings.addAll(api(credentials.get()));
            }
            findings.add(new Finding(
                    new RunningAgent(data).report().isPresent(), "agent running", "start it: gantry-agent run"));
            for (PrinterConfig config : new Configuration(data).read()) {
                findings.add(printer(config));
            }
        } catch (IOException e) {
            findings.add(new Finding(false, "agent files readable", Words.of(e)));
        }
        findings.forEach(finding -> out.println(
                finding.well() ? "ok    " + finding.what() : "FAIL  " + finding.what() + ": " + finding.remedy()));
        return findings.stream().allMatch(Finding::well) ? 0 : 1;
    }

    private Finding folder() {
        String what = "data folder " + data + " writable";
        try {
            Files.delete(Files.createTempFile(Files.createDirectories(data), "doctor", ""));
            return new Finding(true, what, "");
        } catch (IOException e) {
            return new Finding(false, what, Words.of(e) + "; run as the agent's user, or give --data");
        }
    }

    private static List<Finding> api(Credentials credentials) throws InterruptedException {
        String what = "API at " + credentials.api() + " reachable";
        try {
            Optional<Instant> clock = Api.at(credentials.api()).time();
            Duration skew = Duration.between(clock.orElse(Instant.now()), Instant.now());
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

    private Finding printer(PrinterConfig config) throws InterruptedException {
        String what = "printer " + config.name() + " (" + config.deviceId() + ") reachable";
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
            return new Finding(reason.isEmpty(), what, reason + "; check that it is on, and its host, port and key");
        } catch (ExecutionException | TimeoutException e) {
            return new Finding(false, what, "no answer; check that it is on, and its host and port");
        }
    }
}
