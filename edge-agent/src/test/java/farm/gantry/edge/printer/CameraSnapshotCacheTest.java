package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.Providers;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CameraSnapshotCacheTest {

    @Test
    void manyViewersCauseOneCameraRequest() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);
                PrinterConnection connection =
                        Providers.of(fixture.printer()).connect(fixture.printer(), PrinterFixture.HOST, recording);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            recording.await(Status.idle);
            CameraSnapshotCache snapshots = new CameraSnapshotCache(connection, Duration.ofHours(1));
            List<Callable<CameraImage>> requests = IntStream.range(0, 8)
                    .<Callable<CameraImage>>mapToObj(_ -> snapshots::takeOrReuse)
                    .toList();
            List<Future<CameraImage>> pictures = threads.invokeAll(requests);
            assertThat(pictures.stream().map(Future::resultNow).collect(Collectors.toSet()))
                    .hasSize(1);
        }
    }

    @Test
    void snapshotFailureIsCachedForAWhile() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.of(Printer.Provider.vendorA, PrinterFixture.QUICK);
                PrinterConnection connection =
                        Providers.of(fixture.printer()).connect(fixture.printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            CameraSnapshotCache snapshots = new CameraSnapshotCache(connection, Duration.ofSeconds(8));
            fixture.log().fail("camera-broken");
            assertThatThrownBy(snapshots::takeOrReuse).isInstanceOf(IOException.class);
            fixture.log().recover();
            assertThatThrownBy(snapshots::takeOrReuse)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("ended before the first image");
            Eventually.until("it is asked again", () -> isTaken(snapshots));
        }
    }

    private static boolean isTaken(CameraSnapshotCache snapshots) {
        try {
            return snapshots.takeOrReuse().bytes().length > 0;
        } catch (Refusal e) {
            return false;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void fleetTakesSnapshotsOnlyOfItsOwnPrinters(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        FileCache cache = new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), clock);
        try (PrinterFixture fixture = PrinterFixture.of(Printer.Provider.vendorB, PrinterFixture.QUICK);
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet farm = new PrinterFleet(
                        Providers::of,
                        journal,
                        cache,
                        FilesOnPrinters.load(data),
                        Duration.ofSeconds(2),
                        new ReportQueue(),
                        clock)) {
            farm.serve(List.of(fixture.printer()));
            Eventually.until(
                    "it was seen",
                    () -> journal.lastObservation(PrinterFixture.DEVICE).isPresent());
            assertThat(farm.snapshot(PrinterFixture.DEVICE)).isPresent();
            assertThat(farm.snapshot("nobody")).isEmpty();
        }
    }
}
