package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.queue.IngestLane;
import farm.gantry.api.queue.QueueMessageRows;
import farm.gantry.part.Part;
import farm.gantry.wire.IngestRequest;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the worker process for models: it is started when needed, and restarted when it dies. */
@Tag("long")
@Tag("install")
@Execution(ExecutionMode.CONCURRENT)
final class ModelWorkerTest {
    @TempDir
    Path folder;

    private static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .children()
                .filter(child -> command(child).contains(WorkCommand.class.getName()))
                .toList();
    }

    /** Returns the command line from the process table, because Java omits those longer than 4 KB. */
    private static String command(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline"));
        } catch (IOException _) {
            return ""; // it has ended meanwhile
        }
    }

    /** Requests the ingest of a missing model, and waits for its failure. */
    private static void haveModelRead(StandaloneServer machine) throws IOException {
        String store = Id.next();
        String part = Id.next();
        IngestRequest request = new IngestRequest(
                store,
                part,
                Id.next(),
                1,
                Part.Type.stl,
                List.of("files:" + store + "/" + part + "/gone.stl"),
                List.of("0".repeat(64)),
                List.of(),
                null,
                false,
                List.of());
        QueueMessageRows messages = machine.context().getBean(QueueMessageRows.class);
        String queue = IngestLane.MODEL.queue();
        messages.add(queue, null, machine.context().getBean(ObjectMapper.class).writeValueAsString(request));
        Eventually.until("the model is read", () -> !messages.isAny(List.of(queue)));
    }

    @Test
    void workerIsStartedForAModelAndRestartedAfterAKill() throws Exception {
        Map<String, Object> settings = Map.of("micronaut.server.port", -1, "gantry.worker.max-heap", "200m");
        ProcessHandle second;
        try (StandaloneServer machine = StandaloneServer.start(folder, settings)) {
            assertThat(workers()).isEmpty();
            haveModelRead(machine);
            ProcessHandle first = workers().getFirst();
            assertThat(command(first)).contains("-Xmx200m");
            first.destroyForcibly();
            first.onExit().get(5, TimeUnit.MINUTES);
            haveModelRead(machine);
            second = workers().getFirst();
        }
        assertThat(second.isAlive()).isFalse();
    }
}
