package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.main.doctor.Finding;
import farm.gantry.api.main.doctor.MachineChecks;
import farm.gantry.api.settings.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the checks of {@code doctor} that need neither server nor database. */
final class MachineChecksTest {
    private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

    @TempDir
    Path folder;

    private MachineChecks checks(Instant now, Map<String, String> settings) {
        return new MachineChecks(folder, new ServerSettings(settings, Map.of()), now);
    }

    private List<String> lines(Instant now, Map<String, String> settings) {
        return checks(now, settings).run().stream().map(Finding::line).toList();
    }

    private List<String> lines(Map<String, String> settings) {
        return lines(NOW, settings);
    }

    @Test
    void missingDataFolderIsAFailureAndIsNotCreated() {
        Path missing = folder.resolve("missing");
        MachineChecks checks = new MachineChecks(missing, new ServerSettings(Map.of(), Map.of()), NOW);
        assertThat(checks.run().getFirst().line())
                .isEqualTo("FAIL  data folder " + missing
                        + " writable: it does not exist; name the folder of the server with --data");
        assertThat(missing).doesNotExist();
    }

    @Test
    void freeSpaceBelowTheMinimumForFilesIsAFailure() {
        assertThat(lines(Map.of("gantry.files.min-free-bytes", Long.toString(Long.MAX_VALUE))))
                .contains("ok    data folder " + folder + " writable")
                .anyMatch(line -> line.matches(
                        "FAIL  free disk space \\(\\d+ MB\\): the server accepts no files; free disk space"));
    }

    @Test
    void certificateIsCheckedForItsEnd() throws Exception {
        Pem pem = Pem.in(folder);
        Map<String, String> tls = Map.of(
                TlsSettings.CERTIFICATE,
                pem.certificate().toString(),
                TlsSettings.KEY,
                pem.key().toString());
        Instant now = Instant.now(); // keytool makes it valid for 90 days from now
        assertThat(lines(now, tls)).contains("ok    certificate valid for 89 days");
        assertThat(lines(now.plus(Duration.ofDays(80)), tls))
                .anyMatch(line -> line.startsWith("warn  certificate valid for 9 days: renew it before 20"));
        assertThat(lines(now.plus(Duration.ofDays(91)), tls))
                .anyMatch(line -> line.matches("FAIL  certificate: it expired at .*; renew it"));
        assertThat(lines(Map.of(TlsSettings.CERTIFICATE, pem.certificate().toString())))
                .contains(
                        "FAIL  certificate: gantry.tls.certificate and gantry.tls.key must be set together or not at all");
    }

    @Test
    void missingProgramsAreWarnings() {
        Map<String, String> missing = Map.of(
                "gantry.worker.tools.prusaSlicer", "/none/prusa-slicer",
                "gantry.worker.tools.orcaSlicer", "/none/orca-slicer",
                "gantry.worker.tools.openscad", "/none/openscad");
        assertThat(lines(missing))
                .contains(
                        "warn  slicer not found: parts cannot be sliced; install prusa-slicer, or set"
                                + " gantry.worker.tools.orcaSlicer",
                        "warn  OrcaSlicer not found: correct its command in gantry.worker.tools",
                        "warn  OpenSCAD not found: OpenSCAD models cannot be read; install openscad");
        assertThat(lines(Map.of("gantry.worker.tools.orcaSlicer", "/bin/sh"))).contains("ok    slicer found");
        assertThat(lines(Map.of("gantry.worker.in-process", "false"))).noneMatch(line -> line.contains("slicer"));
    }

    @Test
    void ageOfTheLastBackupIsChecked() throws IOException {
        assertThat(checks(NOW, Map.of()).checkBackup().line())
                .isEqualTo("warn  daily backup: none is made; set gantry.backup.folder");
        Path backups = folder.resolve("backups");
        Map<String, String> settings = Map.of("gantry.backup.folder", backups.toString());
        assertThat(checks(NOW, settings).checkBackup().line())
                .startsWith("FAIL  daily backup: there is no folder " + backups + "; create it");
        Files.createDirectory(backups);
        assertThat(checks(NOW, settings).checkBackup().line())
                .isEqualTo("warn  daily backup: there is none in " + backups + "; see the log of the server");
        Files.createFile(backups.resolve("gantry-backup-20261128T095959Z.zip"));
        assertThat(checks(NOW, settings).checkBackup().line())
                .isEqualTo("warn  daily backup 48 hours old: see the log of the server");
        Files.createFile(backups.resolve("gantry-backup-20261130T030000Z.zip"));
        assertThat(checks(NOW, settings).checkBackup().line()).isEqualTo("ok    daily backup 7 hours old");
    }
}
