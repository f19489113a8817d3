package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.admin.AdminCommand;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.api.main.process.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Moves the store of a running farm with its agent and two simulated printers to another installation while they print. */
@Isolated("two farms at once are more than a small machine can carry")
@Tag("full")
@Tag("long")
class MovingStoreTest {
    @TempDir
    Path folder;

    @Test
    void agentFollowsAndEachPrintIsRecordedOnce() throws Exception {
        Path archive = folder.resolve("store.zip");
        Path target = folder.resolve("other");
        try (Farm farm = Farm.start(Map.of());
                FarmPrinter quick = farm.addPrinter("quick");
                FarmPrinter slow = farm.addPrinter("slow")) {
            String part = farm.readyGcode("endless", PrintFiles.ENDLESS_SECONDS);
            quick.confirmBed();
            slow.confirmBed();
            String ended = farm.buildFor(quick, part);
            String running = farm.buildFor(slow, part);
            farm.awaitJob(ended, "Printing");
            farm.awaitJob(running, "Printing");
            String store = FarmRequests.text(quick.printer(), "storeId");
            admin(farm.data(), "store", "export", "--store", store, "--to", archive.toString());
            quick.finishAndAwaitJournal(); // while no installation serves the store
            Files.createDirectory(target);
            String pepper = Files.readString(farm.data().resolve("pepper"));
            SecretFile.write(target.resolve("pepper"), "1:of-the-other-installation 2:" + pepper);
            try (StandaloneServer destination = StandaloneServer.start(
                    target, Map.of("micronaut.server.port", -1, "gantry.worker.in-process", false))) {
                FarmApiClient client = new FarmApiClient(destination.url(), farm.key());
                FarmRequests moved = () -> client;
                admin(target, "store", "import", "--from", archive.toString());
                admin(farm.data(), "store", "moved", "--store", store, "--address", destination.url());
                moved.awaitJob(ended, "Completed");
                assertThat(FarmRequests.text(moved.job(running), "status")).isEqualTo("Printing");
                assertThat(slow.isPrinting()).isTrue();
                slow.finish();
                moved.awaitJob(running, "Completed");
                assertThat(quick.startedFiles()).hasSize(1);
                assertThat(slow.startedFiles()).hasSize(1);
                for (FarmPrinter machine : List.of(quick, slow)) {
                    assertThat(client.get("/v1/printers/" + machine.id())
                                    .get("lifetimeJobCount")
                                    .getIntValue())
                            .isEqualTo(1);
                }
                Eventually.see(
                        "the bed is confirmed",
                        () -> client.patch(
                                "/v1/printers/confirm-ready", Map.of("ids", List.of(quick.id()), "ready", true)),
                        _ -> true);
                moved.awaitJob(moved.buildFor(quick, part), "Printing");
                assertThat(quick.startedFiles()).hasSize(2);
            }
        }
    }

    private void admin(Path data, String... command) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--data", data.toString()));
        ChildProcess process = ChildProcess.start(
                "admin",
                folder.resolve("logs"),
                ChildProcess.SMALL_JVM_OPTIONS,
                AdminCommand.class.getName(),
                arguments,
                Map.of());
        Eventually.until("the command ends", () -> !process.isAlive(), process::log);
        assertThat(process.exitValue()).as(Files.readString(process.log())).isZero();
    }
}
