package farm.gantry.edge.command;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.file.PrivateFile;
import farm.gantry.edge.link.ApiClient;
import farm.gantry.edge.link.Credentials;
import farm.gantry.edge.link.SavedPrinterList;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.printer.connection.PrinterAddresses;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.Providers;
import farm.gantry.json.Json;
import farm.gantry.wire.LinkResponse.PrinterConfig;
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

/** The {@code doctor} command: checks the agent's requirements and prints how to fix each problem. */
public record DoctorCommand(Path data, Ffmpeg ffmpeg, boolean json) {
    private static final Duration SKEW = Duration.ofSeconds(30);
    private static final int PRINTER_SECONDS = 8;
    private static final String CHECK = "; check that it is switched on, and its host, port and key";
    private static final long ROOM_MEGABYTES = 500;

    @Serdeable
    record Finding(boolean well, String what, String remedy) {
        /** Returns the result of a check. The remedy is used only if the check failed. */
        static Finding of(boolean well, String what, String remedy) {
            return new Finding(well, what, well ? "" : remedy);
        }

        /** Returns a finding that is no failure, with a suggestion. */
        static Finding note(String what, String remedy) {
            return new Finding(true, what, remedy);
        }

        String line() {
            if (well && remedy.isEmpty()) {
                return "ok    " + what;
            }
            return (well ? "note  " : "FAIL  ") + what + ": " + remedy;
        }
    }

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        findings.addAll(checkFolder());
        findings.add(checkFfmpeg());
        try {
            Optional<Credentials> credentials = Credentials.read(data);
            findings.add(Finding.of(
                    credentials.isPresent(),
                    "paired",
                    "make a pairing code and run: gantry-agent pair --api URL --code CODE"));
            if (credentials.isPresent()) {
                findings.addAll(checkApi(credentials.get()));
            }
            Optional<StatusReport> report = new RunningAgentClient(data).fetchReport();
            findings.add(Finding.of(
                    report.isPresent(), "agent running", "start it: " + SystemdService.INSTALLED.startCommand(data)));
            if (report.isPresent()) {
                findings.addAll(checkRunningAgent(report.get()));
            } else {
                for (PrinterConfig config : new SavedPrinterList(data).read()) {
                    findings.add(checkPrinter(config));
                }
            }
        } catch (IOException e) {
            findings.add(Finding.of(false, "agent files readable", ErrorText.of(e)));
        }
        String found = json
                ? Json.write(Finding.class, findings)
                : String.join("\n", findings.stream().map(Finding::line).toList());
        out.println(SecretMask.mask(found));
        return findings.stream().allMatch(Finding::well) ? 0 : 1;
    }

    private List<Finding> checkFolder() {
        String what = "data folder " + data + " writable";
        try {
            Files.delete(Files.createTempFile(PrivateFile.createFolder(data), "doctor", ""));
            long megabytes = Files.getFileStore(data).getUsableSpace() >> 20;
            return List.of(
                    Finding.of(true, what, ""),
                    Finding.of(
                            megabytes >= ROOM_MEGABYTES,
                            "free disk space",
                            "only " + megabytes + " MB are free; make room, or give --cache-megabytes"));
        } catch (IOException e) {
            return List.of(Finding.of(false, what, ErrorText.of(e) + "; run as the agent's user, or give --data"));
        }
    }

    private Finding checkFfmpeg() {
        return ffmpeg.isInstalled()
                ? Finding.of(true, "ffmpeg installed", "")
                : Finding.note(
                        "no snapshots from cameras that send only video (anycubic, larger vendorA)", Ffmpeg.INSTALL);
    }

    private static List<Finding> checkApi(Credentials credentials) throws InterruptedException {
        String what = "API at " + credentials.api() + " reachable";
        try {
            Optional<Instant> time = ApiClient.create(credentials.api()).fetchTime();
            Duration skew = Duration.between(time.orElse(Instant.now()), Instant.now());
            return List.of(
                    Finding.of(true, what, ""),
                    Finding.of(
                            skew.abs().compareTo(SKEW) < 0,
                            "clock right",
                            "it differs from the API's clock by " + skew.toSeconds() + " s; enable NTP"));
        } catch (IOException e) {
            return List.of(Finding.of(false, what, ErrorText.of(e) + "; check the network, the proxy and the address"));
        }
    }

    /**
     * Returns the states of the printers from the running agent. The command does not connect to them itself, because
     * some printers accept few connections.
     */
    private static List<Finding> checkRunningAgent(StatusReport report) {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.of(report.connected(), "link to the API up", report.reason()));
        String mismatch = report.versionMismatch();
        findings.add(Finding.of(mismatch == null, "versions of server and agent", mismatch == null ? "" : mismatch));
        int heap = report.heapPercent();
        findings.add(Finding.of(
                heap < HeapMonitor.FULL_PERCENT,
                "memory sufficient",
                HeapMonitor.text(heap, report.printers().size())));
        report.printers()
                .forEach(printer -> findings.add(Finding.of(
                        printer.isOnline(),
                        reachableText(printer.name(), printer.deviceId()),
                        printer.reason() + CHECK)));
        return findings;
    }

    private static String reachableText(String name, String deviceId) {
        return "printer " + name + " (" + deviceId + ") reachable";
    }

    private Finding checkPrinter(PrinterConfig config) throws InterruptedException {
        String what = reachableText(config.name(), config.deviceId());
        CompletableFuture<String> connected = new CompletableFuture<>();
        Provider.Listener listener = new Provider.Listener() {
            @Override
            public void onStatus(PrinterStatus reading, boolean afterGap) {
                connected.complete("");
            }

            @Override
            public void onDisconnect(String reason) {
                connected.complete(reason);
            }
        };
        Provider provider = Providers.of(config).withDataFolder(data.resolve(RunCommand.PRINTERS));
        try (PrinterConnection _ = new PrinterAddresses().connect(provider, config, listener)) {
            String reason = connected.get(PRINTER_SECONDS, TimeUnit.SECONDS);
            return Finding.of(reason.isEmpty(), what, reason + CHECK);
        } catch (ExecutionException | TimeoutException e) {
            return Finding.of(false, what, "no answer" + CHECK);
        }
    }
}
