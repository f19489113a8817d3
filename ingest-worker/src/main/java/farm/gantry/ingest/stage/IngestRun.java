package farm.gantry.ingest.stage;

import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.part.Processing.Stage;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport;
import farm.gantry.wire.StageReport.Findings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the ingest stages for one part file, until one fails. */
public final class IngestRun {
    private static final Logger LOG = LoggerFactory.getLogger(IngestRun.class);
    private static final String UNREACHABLE = "The file storage could not be reached; the worker retries later";

    private final IngestRequest request;
    private final IngestStages stages;
    private final RunLimits limits;
    private final Consumer<StageReport> reports;

    /** The folder is empty, and what is written there may be removed after the run. */
    public IngestRun(
            IngestRequest request,
            PartFileStorage files,
            Path folder,
            Toolchain toolchain,
            Consumer<StageReport> reports) {
        this.request = request;
        this.stages = new IngestStages(request, files, folder, toolchain);
        this.limits = toolchain.limits();
        this.reports = reports;
    }

    /** The work of a stage; it may be retried. */
    @FunctionalInterface
    private interface StageTask<T> {
        StageResult<T> run() throws IOException;
    }

    /** Thrown after the stage has reported its error. */
    private static final class StageFailedException extends Exception {}

    /** Runs the stages; throws when the files stay out of reach, and then the run is neither done nor failed. */
    public void run() {
        try {
            Path file = runStage(StageKey.fetch, stages::fetch);
            ReadResult read = runStage(StageKey.READ_METADATA, () -> stages.readMetadata(file));
            ReadResult pictured = runStage(StageKey.thumbnails, () -> stages.thumbnails(file, read));
            ReadResult split = runStage(StageKey.SPLIT_PLATES, () -> stages.splitPlates(file, pictured));
            runStage(StageKey.estimate, () -> stages.estimate(file, split));
        } catch (StageFailedException _) {
            LOG.info("part {} of store {} cannot be ingested", request.partId(), request.storeId());
        }
    }

    private <T> T runStage(StageKey key, StageTask<T> task) throws StageFailedException {
        for (int attempt = 1; ; attempt++) {
            report(new Stage(key, StageStatus.running, attempt, null), null);
            StageResult<T> result;
            try {
                result = task.run();
            } catch (BadFileException bad) {
                throw reportFailure(key, attempt, bad.getMessage());
            } catch (IOException transientFault) {
                LOG.warn(
                        "stage {} of part {} failed in attempt {} of {}",
                        key,
                        request.partId(),
                        attempt,
                        limits.attempts(),
                        transientFault);
                if (attempt >= limits.attempts()) {
                    report(new Stage(key, StageStatus.running, attempt, UNREACHABLE), null);
                    throw new UncheckedIOException(UNREACHABLE, transientFault);
                }
                limits.backOff(attempt);
                continue;
            } catch (OutOfMemoryError | StackOverflowError tooLarge) {
                LOG.error("stage {} of part {}", key, request.partId(), tooLarge);
                throw reportFailure(key, attempt, "The file needs more memory than the worker has");
            } catch (RuntimeException bug) {
                LOG.error("stage {} of part {}", key, request.partId(), bug);
                throw reportFailure(key, attempt, "The file could not be read: it is damaged or of an unknown kind");
            }
            report(new Stage(key, result.status(), attempt, result.error()), result.findings());
            return result.result();
        }
    }

    private StageFailedException reportFailure(StageKey key, int attempt, @Nullable String error) {
        report(new Stage(key, StageStatus.failed, attempt, error), stages.failed(key, error));
        return new StageFailedException();
    }

    private void report(Stage stage, @Nullable Findings findings) {
        RunInterruptedException.check();
        reports.accept(new StageReport(request.storeId(), request.partId(), request.workflowKey(), stage, findings));
    }
}
