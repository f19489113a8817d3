package farm.gantry.api.main.doctor;

import farm.gantry.api.main.backup.BackupFolder;
import farm.gantry.api.main.backup.BackupSettings;
import farm.gantry.api.settings.ServerSettings;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.ToolLimits;
import farm.gantry.ingest.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks of a server that need neither its process nor its database. */
public record MachineChecks(Path data, ServerSettings settings, Instant now) {
    private static final long WARN_FREE_BYTES = 5_000_000_000L;
    private static final int WARN_FREE_PERCENT = 5;
    private static final Duration MAX_BACKUP_AGE = Duration.ofDays(2);

    /** Returns the findings on the data folder, its disk, the certificate and the programs of the worker. */
    public List<Finding> run() {
        List<Finding> findings = new ArrayList<>(checkFolder());
        CertificateCheck.run(settings, now).ifPresent(findings::add);
        if (settings.find("gantry.worker.in-process").filter("true"::equals).isPresent()) {
            findings.addAll(checkTools());
        }
        return findings;
    }

    private List<Finding> checkFolder() {
        String check = "data folder " + data + " writable";
        String user = System.getProperty("user.name");
        if (!Files.isDirectory(data)) {
            return List.of(Finding.failure(check, "it does not exist; name the folder of the server with --data"));
        } else if (!Files.isReadable(data) || !Files.isWritable(data)) {
            return List.of(Finding.failure(
                    check, "not for the user " + user + "; run this command as the user of the server"));
        }
        return List.of(Finding.ok(check), checkFreeSpace());
    }

    private Finding checkFreeSpace() {
        long free = data.toFile().getUsableSpace();
        long total = Math.max(1, data.toFile().getTotalSpace());
        String check = "free disk space (" + free / 1_000_000 + " MB)";
        long minFree = settings.number("gantry.files.min-free-bytes");
        if (free <= minFree) {
            return Finding.failure(check, "the server accepts no files; free disk space");
        } else if (free < WARN_FREE_BYTES || free < total / 100 * WARN_FREE_PERCENT) {
            return Finding.warning(check, "the disk is almost full; free disk space");
        }
        return Finding.ok(check);
    }

    private List<Finding> checkTools() {
        Tools tools;
        try {
            tools = Tools.configured(
                    settings.below("gantry.worker.tools."),
                    ToolLimits.DEFAULTS,
                    Tools.CAD_TIME,
                    settings.find(Tools.TRUST).filter("true"::equals).isPresent());
        } catch (IllegalArgumentException e) {
            return List.of(Finding.failure("programs of the worker", e));
        }
        List<Finding> findings = new ArrayList<>();
        List<Tool> slicers = Stream.of(
                        tools.prusaSlicer(), tools.orcaSlicer(), tools.bambuStudio(), tools.superSlicer())
                .filter(Objects::nonNull)
                .toList();
        findings.add(
                slicers.stream().anyMatch(Tool::isInstalled)
                        ? Finding.ok("slicer found")
                        : Finding.warning(
                                "slicer not found",
                                "parts cannot be sliced; install prusa-slicer, or set gantry.worker.tools.orcaSlicer"));
        slicers.stream()
                .filter(slicer -> !slicer.equals(tools.prusaSlicer()) && !slicer.isInstalled())
                .map(slicer ->
                        Finding.warning(slicer.name() + " not found", "correct its command in gantry.worker.tools"))
                .forEach(findings::add);
        findings.add(
                tools.openscad().isInstalled()
                        ? Finding.ok("OpenSCAD found")
                        : Finding.warning("OpenSCAD not found", "OpenSCAD models cannot be read; install openscad"));
        findings.add(tools.sandboxWarning()
                .map(warning -> Finding.warning("sandbox of the programs", warning))
                .orElseGet(() -> Finding.ok("sandbox of the programs")));
        return findings;
    }

    /** Returns the finding on the age of the last daily backup. */
    public Finding checkBackup() {
        BackupSettings backup = new BackupSettings(
                settings.find(BackupSettings.FOLDER).orElse(null),
                settings.find("gantry.backup.at").orElse(""),
                (int) settings.number("gantry.backup.keep"));
        Optional<BackupFolder> folder = backup.archives();
        if (folder.isEmpty()) {
            return Finding.warning("daily backup", "none is made; set " + BackupSettings.FOLDER);
        }
        try {
            backup.check();
            folder.get().checkWritable();
            Optional<Duration> age = folder.get().findLatest(now).map(last -> Duration.between(last, now));
            if (age.isEmpty()) {
                return Finding.warning(
                        "daily backup", "there is none in " + folder.get().path() + "; see the log of the server");
            }
            String check = "daily backup " + age.get().toHours() + " hours old";
            return age.get().compareTo(MAX_BACKUP_AGE) > 0
                    ? Finding.warning(check, "see the log of the server")
                    : Finding.ok(check);
        } catch (IllegalArgumentException | IOException e) {
            return Finding.failure("daily backup", e);
        }
    }
}
