package farm.gantry.api.printhost;

import farm.gantry.Permission;
import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.folder.FolderPaths;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.part.PartIntake;
import farm.gantry.api.security.Caller;
import farm.gantry.file.FileUri;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Makes parts of the files that slicers send, and queues them for printing as soon as they are read. */
@Singleton
final class PrintHostUploads {
    private final Database database;
    private final PrintHostTargets targets;
    private final PrintHostRows rows;
    private final FolderPaths folders;
    private final PartIntake intake;
    private final PendingPrints prints;
    private final Table<Part> parts;
    private final RecordReader reader;

    PrintHostUploads(
            Database database,
            PrintHostTargets targets,
            PrintHostRows rows,
            FolderPaths folders,
            PartIntake intake,
            PendingPrints prints,
            Tables tables,
            RecordReader reader) {
        this.database = database;
        this.targets = targets;
        this.rows = rows;
        this.folders = folders;
        this.intake = intake;
        this.prints = prints;
        this.parts = tables.of(Part.class);
        this.reader = reader;
    }

    /** Rejects a target that does not exist, before a file is received for it. */
    void checkTarget(Caller caller, String target) {
        database.in(caller, tx -> targets.find(tx, target));
    }

    /** Returns the name of a file; rejects its path, or a print that the caller may not ask for, before it is received. */
    String checkFile(Caller caller, String path, boolean print) {
        checkPrint(caller, print);
        List<String> names = names(path);
        String name = names.isEmpty() ? "" : names.getLast();
        typeOf(name);
        if (!FileUri.isName(name)) {
            throw ProblemException.invalid("file", "invalid", "file: '" + name + "' is not a file name");
        }
        return database.in(caller, tx -> {
            folders.check(tx, folder(names));
            return name;
        });
    }

    private static void checkPrint(Caller caller, boolean print) {
        if (print) {
            caller.requirePermission(Permission.JOB_CREATE);
        }
    }

    /** Returns the names of a path: folders, then the file. */
    private static List<String> names(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static List<String> folder(List<String> names) {
        return names.subList(0, names.size() - 1);
    }

    /** Returns the type of a file by its name; 400 if it is none that the farm reads. */
    private static Part.Type typeOf(String fileName) {
        return Part.Type.fromFileName(fileName)
                .orElseThrow(() -> ProblemException.invalid(
                        "file",
                        "invalid",
                        "file: '" + fileName + "' is no .gcode, .bgcode, .gcode.3mf, .3mf, .stl, .step or .scad file"));
    }

    /**
     * Adds a stored upload to the library, in the folder of its path, or finds the part that already has this file; with
     * {@code print} queues one copy for the target. The part has its own copy of the file, so the upload can be deleted.
     */
    UploadOutcome receive(Caller caller, String target, StoredFile file, String path, boolean print) {
        checkPrint(caller, print);
        List<String> names = names(path);
        Supplier<UploadOutcome> outcome = database.in(caller, tx -> {
            PrintTags tags = targets.find(tx, target);
            tx.lockExclusive(AdvisoryLock.UPLOADED_FILE, file.sha256());
            String partId = rows.partWithFile(tx, file.sha256())
                    .orElseGet(() -> create(tx, caller, file, names.getLast(), folder(names)));
            if (!print) {
                return () -> UploadOutcome.STORED;
            }
            Part part = parts.lock(tx, partId).orElseThrow(() -> ProblemException.notFound("part"));
            return prints.add(tx, part, tags);
        });
        return outcome.get();
    }

    private String create(Tx tx, Caller caller, StoredFile file, String name, List<String> folder) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", typeOf(name));
        body.put("name", name);
        body.put("fileUris", List.of(file.uri().toString()));
        String folderId = folders.findOrCreate(tx, folder);
        if (folderId != null) {
            body.put("folderId", folderId);
        }
        return Objects.requireNonNull(reader.toTree(intake.create(tx, caller, reader.toTree(body)))
                        .get("id"))
                .getStringValue();
    }
}
