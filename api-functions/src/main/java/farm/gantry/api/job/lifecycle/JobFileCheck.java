package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.FileReferenceRows;
import farm.gantry.api.file.FileStorage;
import farm.gantry.builds.PartBuild;
import farm.gantry.file.FileUri;
import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Files of ended jobs, which no longer keep their files from being deleted. */
@Singleton
final class JobFileCheck {
    private final Table<PartBuild> builds;
    private final FileStorage files;
    private final FileReferenceRows references;

    JobFileCheck(Tables tables, FileStorage files, FileReferenceRows references) {
        this.builds = tables.of(PartBuild.class);
        this.files = files;
        this.references = references;
    }

    /**
     * Returns whether the job's files exist; if so, they are kept until the transaction ends. Slices need not exist, because
     * they are made again.
     */
    boolean filesExist(Tx tx, PrintJob job) {
        return !withExistingFiles(tx, List.of(job)).isEmpty();
    }

    /** Returns the jobs whose files exist. */
    List<PrintJob> withExistingFiles(Tx tx, List<PrintJob> jobs) {
        references.lockShared(tx);
        Map<String, PartBuild> builtFor = builds.findAll(
                tx, jobs.stream().map(PrintJob::partBuildId).distinct().toList());
        return jobs.stream()
                .filter(job -> filesExist(
                        Objects.requireNonNull(builtFor.get(job.partBuildId())).partCopy(), job))
                .toList();
    }

    private boolean filesExist(Part part, PrintJob job) {
        boolean isReady = part.type() == Part.Type.gcode || part.type() == Part.Type.gcode3mf;
        Stream<String> printed = isReady ? job.filesToPrint().stream().map(PrintJob.FileToPrint::uri) : Stream.empty();
        return Stream.concat(part.fileUris().stream(), printed)
                .allMatch(uri -> FileUri.parse(uri).flatMap(files::find).isPresent());
    }
}
