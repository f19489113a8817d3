package farm.gantry.api.main.doctor;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.schema.Schema;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.SecretFile;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks of a database that runs. They never start one, because this would replay its write-ahead log and migrate it.
 *
 * @param installation checks that need the beans of the installation
 */
public record DatabaseChecks(Function<ApplicationContext, List<Finding>> installation) {
    private static final String DATABASE = "database";
    private static final Duration MAX_SKEW = Duration.ofSeconds(30);

    /** Returns the findings on the database of a data folder. */
    public List<Finding> ofFolder(Path data) {
        if (!LocalPostgres.exists(data.resolve("postgres"))) {
            return List.of(Finding.failure(
                    DATABASE, "there is no farm in " + data + "; start the server, or name its folder with --data"));
        }
        for (String secret : SecretFile.OF_SERVER) {
            if (!Files.exists(data.resolve(secret))) {
                return List.of(Finding.failure(
                        "secrets", "there is no file " + data.resolve(secret) + "; restore it from a backup"));
            }
        }
        Optional<String> url = LocalPostgres.findRunningUrl(data.resolve("postgres"), LocalPostgres.DATABASE);
        if (url.isEmpty()) {
            return List.of(
                    Finding.ok("secrets found"),
                    Finding.warning(
                            DATABASE, "not checked, because the server is stopped; start it and run this again"));
        }
        try {
            List<Finding> findings = new ArrayList<>(run(StandaloneServer.createSettings(data, url.get())));
            String ownerUrl = LocalPostgres.ownerUrl(data.resolve("postgres"), LocalPostgres.DATABASE);
            findings.add(Finding.of("migrations complete", () -> Schema.findDifference(ownerUrl)));
            return findings;
        } catch (IOException e) {
            return List.of(Finding.failure(DATABASE, e));
        }
    }

    /** Returns the findings on an external database; its API's environment must be set. */
    public List<Finding> ofUrl(String jdbcUrl) {
        return run(Map.of("datasources.default.url", jdbcUrl));
    }

    private List<Finding> run(Map<String, Object> settings) {
        try (ApplicationContext context = ApplicationContext.builder()
                .properties(settings)
                .deduceEnvironment(false)
                .banner(false)
                .start()) {
            List<Finding> findings = new ArrayList<>(installation.apply(context));
            findings.add(Finding.of(
                    "clock equal to that of the database", () -> checkClock(context.getBean(Database.class))));
            return findings;
        } catch (RuntimeException e) {
            return List.of(Finding.failure(DATABASE, e));
        }
    }

    private static Optional<String> checkClock(Database database) {
        Duration skew = Duration.between(database.readClock(), Instant.now());
        return skew.abs().compareTo(MAX_SKEW) < 0
                ? Optional.empty()
                : Optional.of("it differs by " + skew.toSeconds() + " s; enable NTP");
    }
}
