package farm.gantry.api.database.schema;

import farm.gantry.api.main.postgres.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.apache.commons.io.FileUtils;

/**
 * Measures the seconds that today's migrations take on the earliest recorded farm with 100,000 completed print jobs, on a
 * durable disk, and names the slowest. {@code infra/local/measure upgrade} runs it: {@code UpgradeBenchmark [jobs]}
 */
public final class UpgradeBenchmark {
    private static final String JOBS_OF_A_BUILD = "10";

    private UpgradeBenchmark() {}

    public static void main(String[] args) throws IOException, SQLException {
        int jobs = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        Path folder = Files.createTempDirectory("upgrade");
        try (LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"))) {
            String url = postgres.ownerUrl(LocalPostgres.DATABASE);
            try (Connection connection = DriverManager.getConnection(postgres.ownerUrl("postgres"));
                    Statement statement = connection.createStatement()) {
                statement.execute("create database " + LocalPostgres.DATABASE);
            }
            StoredFarm farm = StoredFarm.read(Path.of("src/test/resources/upgrade/before-1.0.0-beta.1.txt"));
            farm.load(url);
            addJobs(url, jobs);
            long started = System.nanoTime();
            postgres.prepareDatabase(LocalPostgres.DATABASE);
            double seconds = (System.nanoTime() - started) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "  %,d print jobs, from schema %s: %.1f s; the slowest migrations:%n",
                    jobs,
                    farm.schema(),
                    seconds);
            try (Connection connection = DriverManager.getConnection(url)) {
                StoredFarm.texts(connection, """
                                select format('%s ms', lpad(execution_time::text, 8)) || '  ' || script
                                from flyway.flyway_schema_history where installed_rank >
                                  (select installed_rank from flyway.flyway_schema_history where version = ?)
                                order by execution_time desc limit 5""", farm.schema()).forEach(line -> System.out.println("  " + line));
            }
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    /** Copies a job of the farm with its build, as jobs that were completed in the last weeks, with their history. */
    private static void addJobs(String url, int jobs) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("set session_replication_role = replica");
            copy(connection, "partBuild", jobs + " / " + JOBS_OF_A_BUILD, """
                    'id', 'build' || n, 'status', 'success'""");
            copy(connection, "printJob", String.valueOf(jobs), """
                    'id', 'job' || n, 'partBuildId', 'build' || (1 + (n - 1) / %s), 'status', 'Completed', 'taskId', 1000 + n,
                    'queueOrder', 1000 + n, 'assignedPrinterId', (select min(id) from farm.printer),
                    'createdAt', now() - n * interval '1 minute', 'assignmentStartedAt', now() - n * interval '1 minute',
                    'printingStartedAt', now() - n * interval '1 minute', 'estimatedSeconds', 3600, 'estimatedGrams', 12,
                    'printingCompletedAt', now() - n * interval '1 minute' + interval '1 hour'""".formatted(JOBS_OF_A_BUILD));
            statement.execute("""
                    insert into farm."printAttempt"
                    select "storeId", id, attempt, "assignedPrinterId", status, "printingStartedAt", "finishedAt", 12
                    from farm."printJob" where status = 'Completed' on conflict do nothing""");
            statement.execute("analyze");
        }
    }

    /** Copies the first row of a table with changed columns; {@code n} counts the copies. */
    private static void copy(Connection connection, String table, String count, String changes) throws SQLException {
        String columns = StoredFarm.columns(connection, table);
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    insert into farm."%1$s" (%2$s) overriding system value
                    select %2$s from (
                      select copy.* from farm."%1$s" original, generate_series(1, %3$s) n,
                        lateral jsonb_populate_record(original, jsonb_build_object(%4$s)) copy
                      where original.id = (select min(id) from farm."%1$s")) copies
                    """.formatted(table, columns, count, changes));
        }
    }
}
