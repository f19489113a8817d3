package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.main.process.ChildProcess;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests worker processes of an API that runs no worker itself. */
@Tag("full")
@ResourceLock(OwnFarm.SECOND)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkerProcessTest {
    private static final int SHORT = 60;

    private final Farm farm = Farm.start(Map.of("gantry.worker.in-process", "false"));

    @AfterAll
    void close() throws IOException {
        farm.close();
    }

    private String part(String name) throws IOException {
        return FarmRequests.text(farm.createPart("gcode", PrintFiles.gcode(farm.createFolder(), name, SHORT)), "id");
    }

    private static void awaitDeath(ChildProcess worker) {
        Eventually.until("the worker dies", () -> !worker.isAlive(), () -> "it lives");
    }

    private void assertReadOnce(String part) {
        JsonNode ready = farm.awaitReady(part);
        assertThat(ready.get("processing").get("attempt").getIntValue()).isEqualTo(1);
        assertThat(FarmRequests.fieldValues(ready.get("processing").get("stages"), "status"))
                .doesNotContain("running", "pending", "failed");
    }

    @Test
    void partIsIngestedOnceWhenWorkersCrash() throws Exception {
        String part = part("first");
        try (ChildProcess dying = farm.startWorker("one", "thumbnails")) {
            awaitDeath(dying);
        }
        try (ChildProcess again = farm.startWorker("one", "estimate")) {
            awaitDeath(again);
        }
        try (ChildProcess other = farm.startWorker("two", "")) {
            assertReadOnce(part);
            assertThat(other.isAlive()).isTrue();
        }
    }

    @Test
    void workersReconnectAfterTheApiRestarts() throws Exception {
        try (ChildProcess one = farm.startWorker("left", "");
                ChildProcess two = farm.startWorker("right", "")) {
            assertReadOnce(part("before"));
            farm.restartApi("");
            assertReadOnce(part("after"));
            one.kill();
            assertReadOnce(part("alone"));
            assertThat(two.isAlive()).isTrue();
        }
    }
}
