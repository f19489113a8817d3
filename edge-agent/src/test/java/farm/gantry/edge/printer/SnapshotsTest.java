package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.provider.Ear;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SnapshotsTest {

    @Test
    void manyWhoLookAtAPrinterTroubleItOnce() throws Exception {
        Ear ear = new Ear();
        try (Bench bench = Bench.of(Printer.Provider.sdcp, Bench.QUICK);
                Connection connection = Providers.of(bench.printer()).connect(bench.printer(), ear);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ear.await(Status.idle);
            Snapshots snapshots = new Snapshots(connection);
            List<Callable<Picture>> visitors = IntStream.range(0, 8)
                    .<Callable<Picture>>mapToObj(_ -> snapshots::take)
                    .toList();
            List<Future<Picture>> pictures = threads.invokeAll(visitors);
            assertThat(pictures.stream().map(Future::resultNow).collect(Collectors.toSet()))
                    .hasSize(1);
        }
    }
}
