package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.aws.DeadLetters;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.AwsServices;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.EventSource;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.RuntimeInterface;
import farm.gantry.api.main.postgres.LocalPostgres;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import io.micronaut.function.aws.MicronautLambdaContext;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the operator's commands as a function, with an empty database and over emulators of AWS. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AdminFunctionTest {
    private static final String PEPPER = "p".repeat(32);

    private AwsServices services;
    private LocalPostgres postgres;
    private final Map<String, Object> settings = new HashMap<>();
    private AdminFunction function;

    private record Response(int exitCode, String output, String error) {
        String value(String name) {
            return output.lines()
                    .filter(line -> line.startsWith(name + " "))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(this))
                    .substring(name.length() + 1);
        }
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        postgres = LocalPostgres.start(folder.resolve("postgres"), Map.of("fsync", "off"));
        postgres.prepareDatabase("gantry");
        services = new AwsServices(folder.resolve("buckets"));
        DeadLetters.queues()
                .forEach(name -> services.queues()
                        .client()
                        .createQueue(request -> request.queueName(DeadLetters.deadLetterQueueOf(name))
                                .attributesWithStrings(
                                        name.endsWith(".fifo") ? Map.of("FifoQueue", "true") : Map.of())));
        settings.putAll(services.settings());
        settings.putAll(Map.of(
                "gantry.files.folder",
                folder.toString(),
                "gantry.public-url",
                "https://farm.example",
                "gantry.pepper",
                PEPPER,
                "datasources.default.url",
                postgres.url("gantry"),
                "datasources.default.password",
                postgres.password()));
        function = new AdminFunction(this::context);
    }

    @AfterAll
    void stop() throws Exception {
        services.stop();
        postgres.close();
    }

    private ApplicationContext context() {
        return ApplicationContext.builder(Environment.FUNCTION, MicronautLambdaContext.ENVIRONMENT_LAMBDA)
                .properties(settings)
                .banner(false)
                .build()
                .start();
    }

    private Response run(String... command) {
        return handle(Map.of("command", List.of(command)));
    }

    private Response handle(Map<String, Object> event) {
        Map<String, Object> response = function.handleRequest(event, new EventSource.Call());
        return new Response(
                (int) Objects.requireNonNull(response.get("exitCode")),
                String.valueOf(response.get("output")),
                String.valueOf(response.get("error")));
    }

    private int status(String key, String path) throws Exception {
        try (ApplicationContext api = context()) {
            return Client.of(new Lambda(new HttpApiFunction(api)), key)
                    .get(path)
                    .status();
        }
    }

    @Test
    void firstStoreIsCreatedAndItsKeyOpensTheApi() throws Exception {
        Response created = run("store", "create", "--name", "My farm");
        assertThat(created.exitCode()).as(created.toString()).isZero();
        assertThat(status(created.value("key"), "/v1/printers")).isEqualTo(200);
        Response viewer = run("key", "create", "--store", created.value("store"), "--permissions", "printer.view");
        assertThat(status(viewer.value("key"), "/v1/printers")).isEqualTo(200);
        assertThat(status(viewer.value("key"), "/v1/integrations")).isEqualTo(403);
        assertThat(run("database", "restored").value("printers")).isEqualTo("0");
    }

    @Test
    void secretsAndPepperAreRotated() {
        int version = Integer.parseInt(run("secrets", "rotate").value("version"));
        assertThat(run("secrets", "rotate").value("version")).isEqualTo(String.valueOf(version + 1));
        assertThat(run("secrets", "reseal").value("resealed")).isEqualTo("0");
        assertThat(run("pepper", "rotate").output())
                .containsPattern("first, for every process: GANTRY_PEPPER='1:" + PEPPER + " 2:\\w+'")
                .containsPattern("then, for every process: GANTRY_PEPPER='2:\\w+ 1:" + PEPPER + "'");
    }

    @Test
    void doctorReportsDeadLettersUntilTheyAreMovedBack() {
        assertThat(run("doctor").exitCode()).isZero();
        String dead = services.queuePrefix() + DeadLetters.deadLetterQueueOf("stage-reports.fifo");
        services.queues()
                .client()
                .sendMessage(message -> message.queueUrl(dead)
                        .messageGroupId("run")
                        .messageDeduplicationId("1")
                        .messageBody("report"));
        Response found = run("doctor");
        assertThat(found.exitCode()).isEqualTo(1);
        assertThat(found.output())
                .contains("ok    database and secrets", "ok    file storage", "ok    queue webhooks")
                .contains("FAIL  queue stage-reports.fifo: about 1 dead letters");
        Response moved = run(
                "queues",
                "redrive",
                "--region",
                String.valueOf(settings.get("gantry.aws.region")),
                "--queue-prefix",
                services.queuePrefix());
        assertThat(moved.value("stage-reports.fifo")).isEqualTo("1");
        assertThat(run("doctor").exitCode()).isZero();
    }

    @Test
    void doctorReportsADatabaseThatDoesNotAnswer() {
        AdminFunction unreachable = new AdminFunction(() -> {
            throw new IllegalStateException("the database does not answer");
        });
        assertThat(unreachable.handleRequest(Map.of("command", List.of("doctor")), new EventSource.Call()))
                .containsEntry("exitCode", 1)
                .containsEntry("output", "FAIL  database and secrets: the database does not answer\n");
    }

    @Test
    void failedCommandIsAResponseWithItsMessage() {
        Response unknown = run("key", "create", "--store", "nothere", "--full-access");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.error()).isEqualTo("there is no store nothere\n");
        assertThat(run("store", "remove").exitCode()).isEqualTo(2);
        assertThat(run("database", "migrate").error()).contains("each deployment of this stage migrates the database");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--jdbc-url=jdbc:postgresql://other/gantry", "--data=/tmp"})
    void anotherInstallationIsRejected(String option) {
        Response refused = run("store", "create", "--name", "n", option);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.error()).contains(" is not available here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "text", "numbers"})
    void eventWithoutACommandIsRejected(String form) {
        Map<String, Object> event = switch (form) {
            case "text" -> Map.of("command", "store create");
            case "numbers" -> Map.of("command", List.of(1));
            default -> Map.of();
        };
        Response refused = handle(event);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.error()).contains("the event must have the form");
    }

    /** The class path is that of the function's ZIP, and the settings are environment variables. */
    @Test
    void commandRunsUnderTheRuntimeOfLambda() throws Exception {
        try (RuntimeInterface runtime = new RuntimeInterface(AdminFunction.class, Map.of(), List.of())) {
            Answer help = response(runtime, "--help");
            assertThat(help.at("exitCode")).isEqualTo(0);
            assertThat(help.at("output")).asString().contains("store", "secrets", "pepper", "queues", "doctor");
            Answer created = response(runtime, "store\",\"create\",\"--name\",\"Another");
            assertThat(created.at("exitCode")).as(created.text()).isEqualTo(0);
            assertThat(created.at("output")).asString().contains("\nkey ");
        }
    }

    private static Answer response(RuntimeInterface runtime, String command) throws Exception {
        return new Answer(200, Map.of(), runtime.invoke("{\"command\":[\"" + command + "\"]}"));
    }
}
