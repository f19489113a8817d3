package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.FileReferenceRows;
import farm.gantry.api.file.KeptFiles;
import farm.gantry.builds.PartBuild;
import farm.gantry.file.FileUri;
import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The files of jobs that are to be done again: one that is over keeps none alive. */
@Singleton
final class JobFiles {
    private final Table<PartBuild> builds;
    private final KeptFiles files;
    private final FileReferenceRows references;

    JobFiles(Tables tables, KeptFiles files, FileReferenceRows references) {
        this.builds = tables.of(PartBuild.class);
        this.files = files;
        this.references = references;
    }

    /** Whether they are kept, which they are then until the transaction ends; what is sliced is made anew. */
    boolean areKept(Tx tx, PrintJob job) {
        return !kept(tx, List.of(job)).isEmpty();
    }

    /** Those of the jobs whose files are. */
    List<PrintJob> kept(Tx tx, List<PrintJob> jobs) {
        references.lockShared(tx);
        Map<String, PartBuild> builtFor = builds.findAll(
                tx, jobs.stream().map(PrintJob::partBuildId).distinct().toList());
        return jobs.stream()
                .filter(job -> areKept(
                        Objects.requireNonNull(builtFor.get(job.partBuildId())).partCopy(), job))
                .toList();
    }

    private boolean areKept(Part part, PrintJob job) {
        boolean isReady = part.type() == Part.Type.gcode || part.type() == Part.Type.gcode3mf;
        Stream<String> printed = isReady ? job.filesToPrint().stream().map(PrintJob.FileToPrint::uri) : Stream.empty();
        return Stream.concat(part.fileUris().stream(), printed)
                .allMatch(uri -> FileUri.parse(uri).flatMap(files::find).isPresent());
    }
}
