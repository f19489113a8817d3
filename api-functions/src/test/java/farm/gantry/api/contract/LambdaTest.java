package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.LocalTwins;
import farm.gantry.api.fixture.SharedApi;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the API as a Lambda function, in a process of its own with the services of AWS only. */
@Tag("aws")
final class LambdaTest {
    /** Classes of a single machine that are not beans. */
    private static final List<String> OF_ONE_MACHINE = List.of("queue.QueueConsumer", "queue.QueuedWorker");

    private static final List<String> OF_AWS = List.of(
            "aws.S3Files",
            "aws.PresignedUrls",
            "aws.SqsDispatch",
            "aws.SqsWakeups",
            "aws.DynamoDbRateLimits",
            "aws.KmsMasterKey");

    /**
     * Checks after all requests, by a class histogram of the JVM, that the process has no objects of a single machine's
     * services.
     */
    @AfterAll
    static void assertNoLocalServicesInTheProcess() throws Exception {
        String living = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        List<String> classes = living.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 3)
                .map(columns -> columns[3])
                .toList();
        assertThat(classes)
                .containsAll(ofApi(OF_AWS))
                .doesNotContainAnyElementsOf(ofApi(OF_ONE_MACHINE))
                .doesNotContainAnyElementsOf(ofApi(LocalTwins.NAMED));
        assertThat(SharedApi.services().countedCallers()).isPositive();
        assertThat(Path.of(SharedApi.context().getRequiredProperty("gantry.files.folder", String.class)))
                .doesNotExist();
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                ResultSet rows = owner.createStatement().executeQuery("select count(*) from farm.\"queueMessage\"")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1))
                    .as("messages in the queues of one machine")
                    .isZero();
        }
    }

    @Test
    void portsServedByAwsHaveNoLocalBean() {
        assertThat(LocalTwins.ports(SharedApi.context()))
                .isEqualTo(Map.of(
                        "AgentMarks", Set.of("aws.DynamoDbMarks"),
                        "FileUrls", Set.of("aws.PresignedUrls"),
                        "FileStorage", Set.of("aws.S3Files"),
                        "MasterKey", Set.of("aws.KmsMasterKey"),
                        "OutboxDispatcher", Set.of("aws.SqsDispatch"),
                        "RateLimits", Set.of("aws.DynamoDbRateLimits"),
                        "StoreActivity", Set.of("aws.DynamoDbMarks"),
                        "Wakeups", Set.of("aws.SqsWakeups")));
        assertThat(LocalTwins.in(SharedApi.context())).isEmpty();
    }

    private static List<String> ofApi(Collection<String> names) {
        return names.stream().map(name -> "farm.gantry.api." + name).toList();
    }

    @Nested
    final class IgnoredNames implements IgnoredNamesContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Csv implements CsvContract {
        @Override
        public Host host() {
            return new Lambda();
        }

        @Test
        void tableWithoutALimitIsAPageWithTheCursorOfTheNext() {
            SharedApi.Store store = SharedApi.newStore();
            farm.gantry.api.fixture.Macros.insert(store.id(), 1001, 8);
            Client table = Client.of(host(), store.key()).with("accept", "text/csv");
            Answer first = table.get("/v1/macros?fields=name&sort=id");
            assertThat(first.text().lines()).hasSize(1 + 1000);
            assertThat(first.header("Gantry-Has-More")).isEqualTo("true");
            Answer last = table.get("/v1/macros?fields=name&sort=id&cursor=" + first.header("Gantry-Next-Cursor"));
            assertThat(last.text().lines()).hasSize(1 + 1);
            assertThat(last.header("Gantry-Has-More")).isEqualTo("false");
        }
    }

    @Nested
    final class Imports implements ImportContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Http implements HttpContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Messages implements MessageContract {
        @Override
        public Host host() {
            return new Lambda();
        }

        @Override
        @Test
        @Disabled("functions report a missing body in the words of the framework")
        public void missingBodyIsCalledMissing() {}
    }

    @Nested
    final class Conditions implements ConditionalContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Idempotency implements IdempotencyContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Descriptions implements DescriptionContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class DocumentationPages implements DocumentationContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Assistants implements AssistantContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class PrintHosts implements PrintHostContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Macros implements MacroContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class ApiKeys implements ApiKeyContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Sessions implements SessionContract {
        @Override
        public Host host() {
            return new Lambda();
        }

        @Override
        public String origin() {
            return "https://farm.example";
        }

        @Override
        public Client addressed() {
            return Client.of(host()).with("host", "farm.example");
        }
    }

    @Nested
    final class ConsoleFiles implements ConsoleFilesContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Queries implements QueryContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class PartBuilds implements PartBuildContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Builds implements BuildContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class SkuBuilds implements SkuBuildContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class BuildsV1 implements OldBuildContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Jobs implements JobContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class ListHints implements ListHintContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class PrinterSlots implements PrinterSlotContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Includes implements IncludeContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class FilamentPlans implements FilamentPlanContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class CostReports implements CostReportContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class SpoolsOfJobs implements SpoolContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class JobMatching implements JobMatchingContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class PrinterCommands implements PrinterCommandContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Snapshots implements SnapshotContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Walls implements WallContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class References implements ReferenceContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Printers implements PrinterContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class PrinterOperations implements PrinterOperationsContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Parts implements PartContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Extraction implements ExtractionContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Layouts implements LayoutContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class PrinterThrottleGroups implements PrinterThrottleGroupContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Materials implements MaterialContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Profiles implements ProfileContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Folders implements FolderContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class MaterialGroups implements MaterialGroupContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class CostComponents implements CostComponentContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Skus implements SkuContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class SkuOptions implements SkuOptionContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class SkuOptionResolution implements SkuChoiceContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Costs implements CostContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Sequences implements SequenceContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class AuditLogs implements AuditContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Orders implements OrderContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Integrations implements IntegrationContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class SignedDeliveries implements SignedDeliveryContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class StoreSettingsRoutes implements StoreSettingsContract {
        @Override
        public Host host() {
            return new Lambda();
        }
    }

    @Nested
    final class Streams implements StreamContract {
        @Override
        public Host host() {
            return new Lambda();
        }

        @Test
        void functionRejectsTheStreamAndNamesAlternativesThatWork() {
            Client client = Client.of(host(), SharedApi.newStore().key());
            Answer refused = client.get("/v1/stream");
            assertThat(refused.status()).isEqualTo(501);
            assertThat(refused.at("error")).isEqualTo("not_implemented");
            assertThat(refused.at("message"))
                    .isEqualTo("this installation cannot keep a connection open; use webhooks, or poll lists with"
                            + " updatedAt.gt");
            Answer first = client.post("/v1/macros", "{\"name\":\"first\",\"type\":\"generic\",\"gcode\":\"G28\"}");
            client.made("/v1/macros", "{\"name\":\"second\",\"type\":\"generic\",\"gcode\":\"G28\"}");
            assertThat(client.get("/v1/macros?updatedAt.gt=" + first.at("updatedAt"))
                            .each("name"))
                    .containsExactly("second");
        }
    }
}
