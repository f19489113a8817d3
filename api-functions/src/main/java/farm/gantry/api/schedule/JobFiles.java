package farm.gantry.api.schedule;

import farm.gantry.api.file.KeptFiles;
import farm.gantry.api.store.FileReferences;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.file.FileUri;
import farm.gantry.job.PrintJob;
import jakarta.inject.Singleton;

/** Whether what a job prints is kept still: one that is over keeps no file alive. */
@Singleton
public final class JobFiles {
    private final Table<PartBuild> builds;
    private final KeptFiles files;
    private final FileReferences references;

    JobFiles(Tables tables, KeptFiles files, FileReferences references) {
        this.builds = tables.of(PartBuild.class);
        this.files = files;
        this.references = references;
    }

    /** Whether the files are there; they stay until the transaction ends. */
    public boolean areKept(Tx tx, PrintJob job) {
        references.lockShared(tx);
        return builds.find(tx, job.partBuildId()).orElseThrow().partCopy().fileUris().stream()
                .allMatch(uri -> FileUri.parse(uri).flatMap(files::find).isPresent());
    }
}
