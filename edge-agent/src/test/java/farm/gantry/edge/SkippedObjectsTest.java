package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Users name the objects of a sliced 3MF; the printer knows them by numbers that are in the file. */
@Execution(ExecutionMode.CONCURRENT)
class SkippedObjectsTest {
    private static final String SLICED = """
            <?xml version="1.0" encoding="UTF-8"?>
            <config>
              <plate>
                <metadata key="index" value="1"/>
                <object identify_id="75" name="Cube" skipped="false"/>
              </plate>
              <plate>
                <metadata key="index" value="2"/>
                <object identify_id="126" name="Cube" skipped="false"/>
                <object identify_id="128" name="Lid &amp; hinge" skipped="false"/>
                <object identify_id="130" name="Leg" skipped="false"/>
                <object identify_id="132" name="Leg" skipped="false"/>
              </plate>
            </config>
            """;

    private final FakeApi api = new FakeApi();
    private final PrinterFixture fixture =
            PrinterFixture.of(Printer.Provider.vendorA, new SimulationSpeed(60, 60_000.0));

    @TempDir
    Path data;

    SkippedObjectsTest() throws IOException {}

    @BeforeEach
    void serve() {
        api.serve(fixture.printer());
    }

    @AfterEach
    void close() {
        fixture.close();
        api.close();
    }

    @Test
    void objectsAreSkippedByNameAtTheStartAndDuringAPrint() throws Exception {
        try (ChildAgent _ = ChildAgent.start(api, data, "")) {
            print("j1", "Cube");
            Eventually.until(
                    "the cube is left out", () -> skipped().equals(List.of(List.of(126))), this::reportedEvents);
            skip("Lid & hinge", 130);
            Eventually.until("the lid is left out", () -> skipped().contains(List.of(128, 130)), this::reportedEvents);
            skip("Leg");
            Eventually.until(
                    "two legs are too many",
                    () -> reportedEvents().contains("say which of 130, 132"),
                    this::reportedEvents);
            skip("Brim");
            Eventually.until(
                    "there is no brim",
                    () -> reportedEvents().contains("no object Brim; it has Cube (126)"),
                    this::reportedEvents);
            assertThat(skipped()).hasSize(2);
        }
    }

    @Test
    void printWithUnknownObjectToSkipIsNotStarted() throws Exception {
        try (ChildAgent _ = ChildAgent.start(api, data, "")) {
            print("j1", "Brim");
            Eventually.until("it has failed", () -> api.kinds("j1").contains(Kind.jobFailed), this::reportedEvents);
            assertThat(reportedEvents()).contains("the file has no object Brim");
            assertThat(fixture.log().uploads()).isEmpty();
        }
    }

    @Test
    void printWithSkippedObjectsFailsIfTheProviderCannotSkip() throws Exception {
        try (PrinterFixture sdcp = PrinterFixture.of(Printer.Provider.sdcp, new SimulationSpeed(60, 60_000.0))) {
            api.serve(sdcp.printer());
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                print("j1", "Cube");
                Eventually.until("it has failed", () -> api.kinds("j1").contains(Kind.jobFailed), this::reportedEvents);
                assertThat(reportedEvents()).contains("cannot skip objects: Cube");
                assertThat(sdcp.log().uploads()).isEmpty();
            }
        }
    }

    private void print(String jobId, String skipped) throws IOException {
        Eventually.until(
                "it is idle",
                () -> "idle".equals(api.status(PrinterFixture.DEVICE)),
                () -> api.state(PrinterFixture.DEVICE));
        byte[] project = project();
        api.files().put("/files/project", project);
        api.command(
                PrinterFixture.DEVICE,
                new Command.Print(
                        jobId,
                        1,
                        "project.gcode.3mf",
                        api.address() + "/files/project",
                        project.length,
                        PrintFile.sha256(project),
                        2,
                        "Metadata/plate_2.gcode",
                        1,
                        null,
                        null,
                        List.of(skipped),
                        null));
    }

    private void skip(Object... objects) {
        api.command(PrinterFixture.DEVICE, new Command.Send("skip-objects", Map.of("objectIds", List.of(objects))));
    }

    private List<List<?>> skipped() {
        return fixture.log().orders().stream()
                .filter(order -> "skip_objects".equals(Tree.text(order, "command")))
                .<List<?>>map(order -> Tree.list(order, "obj_list"))
                .toList();
    }

    private String reportedEvents() {
        return api.events().stream().map(Event::toString).toList().toString();
    }

    private static byte[] project() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("Metadata/slice_info.config"));
            zip.write(SLICED.getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("Metadata/plate_2.gcode"));
            zip.write(PrintFile.cube().content());
        }
        return bytes.toByteArray();
    }
}
