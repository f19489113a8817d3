package farm.gantry.api.main.support;

import farm.gantry.api.database.DatabaseException;
import farm.gantry.api.database.schema.DatabaseSummary;
import farm.gantry.api.main.doctor.Finding;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.SecretFile;
import farm.gantry.api.settings.ServerSettings;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A zip of text files about an installed server, without secrets, addresses, ids and content. */
public final class SupportBundle {
    /** The end of each log that is read, in bytes. */
    private static final int MAX_LOG_BYTES = 4_000_000;

    private static final List<String> OWNER_KEYS = List.of("owner.key", "../owner.key");
    private static final Pattern METRIC =
            Pattern.compile("#.*|[a-z_]+(?:\\{[^}]*})? [0-9.eE+-]+|[a-z_]+(?:\\{[^}]*})? NaN");
    /** PostgreSQL follows these lines by others with values and statements. */
    private static final Pattern POSTGRES_LINE = Pattern.compile(".* (?:LOG|HINT|WARNING|ERROR|FATAL|PANIC): .*");

    private final Path data;
    private final LogRedaction redaction;
    private final Map<String, String> files = new TreeMap<>();

    /** Begins a bundle about the server that has the data folder and the settings. */
    public SupportBundle(Path data, ServerSettings settings) throws IOException {
        this.data = data;
        Set<String> secrets = new HashSet<>(settings.hidden());
        for (String name : Stream.concat(SecretFile.OF_SERVER.stream(), OWNER_KEYS.stream())
                .toList()) {
            Path file = data.resolve(name);
            if (Files.isReadable(file)) {
                secrets.add(Files.readString(file).strip());
            }
        }
        this.redaction = new LogRedaction(secrets);
        files.put("machine.txt", describeMachine());
        files.put("settings.txt", join(settings.describe()));
    }

    private static String describeMachine() {
        Runtime runtime = Runtime.getRuntime();
        return join(List.of(
                "gantry " + ProductVersion.CURRENT,
                "Java " + Runtime.version() + " of " + System.getProperty("java.vendor"),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                "processors " + runtime.availableProcessors(),
                "maximum heap of this command " + runtime.maxMemory() / 1_000_000 + " MB",
                "character set " + System.getProperty("native.encoding")));
    }

    /** Adds what the checks of the server found. */
    public void addFindings(List<Finding> findings) {
        files.put(
                "doctor.txt",
                redaction.redact(join(findings.stream().map(Finding::line).toList())));
    }

    /** Adds the metrics in Prometheus' format. */
    public void addMetrics(String text) {
        files.put(
                "metrics.txt",
                join(text.lines().filter(line -> METRIC.matcher(line).matches()).toList()));
    }

    /** Adds a description of the running database of the data folder. */
    public void addDatabase() throws IOException {
        Path postgres = data.resolve("postgres");
        if (LocalPostgres.findRunningUrl(postgres, LocalPostgres.DATABASE).isEmpty()) {
            files.put("database.txt", "The database is not in the data folder, or the server is stopped.\n");
            return;
        }
        try {
            files.put(
                    "database.txt",
                    join(DatabaseSummary.read(LocalPostgres.ownerUrl(postgres, LocalPostgres.DATABASE))));
        } catch (DatabaseException e) {
            files.put("database.txt", redaction.redact("failed: " + e.getMessage()));
        }
        Path log = postgres.resolve("postgres.log");
        if (Files.exists(log)) {
            files.put(
                    "logs/postgres.txt",
                    redaction.redact(join(readEnd(log)
                            .lines()
                            .filter(line -> POSTGRES_LINE.matcher(line).matches())
                            .toList())));
        }
    }

    /** Adds the end of a log. */
    public void addLog(Path log) throws IOException {
        files.put("logs/" + log.getFileName() + ".txt", redaction.redact(readEnd(log)));
    }

    /** Adds a log that is read to its end. */
    public void addLog(String name, InputStream log) throws IOException {
        files.put("logs/" + name + ".txt", redaction.redact(new String(log.readAllBytes(), StandardCharsets.UTF_8)));
    }

    private static String readEnd(Path log) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(log)) {
            channel.position(Math.max(0, channel.size() - MAX_LOG_BYTES));
            return new String(Channels.newInputStream(channel).readNBytes(MAX_LOG_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** Writes the zip, which only its owner can read; returns the names of its files. */
    public Collection<String> write(Path archive) throws IOException {
        if (Files.exists(archive)) {
            throw new IOException(archive + " exists already; name another file with --to");
        }
        Files.createFile(archive, SecretFile.OWNER_ONLY);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return files.keySet();
    }

    private static String join(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
