package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.MovedStores;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the API over real HTTP, as on a single machine. */
final class NettyTest {
    @Nested
    final class Csv implements CsvContract {
        @Override
        public Host host() {
            return new Socket();
        }

        @ParameterizedTest
        @ValueSource(strings = {"id", "createdAt:desc", "name"})
        void tableWithoutALimitContainsAllRecordsInTheirOrder(String sort) {
            SharedApi.Store store = SharedApi.newStore();
            farm.gantry.api.fixture.Macros.insert(store.id(), 2345, 8);
            Client table = Client.of(host(), store.key()).with("accept", "text/csv");
            String path = "/v1/macros?fields=id&name.startsWith=macro%201&sort=" + sort;
            String first = table.get(path + "&limit=1000").text();
            String second = table.get(path + "&limit=1000&offset=1000").text();
            Answer all = table.get(path);
            assertThat(all.text()).isEqualTo(first + second.substring("id\r\n".length()));
            assertThat(all.text().lines()).hasSize(1 + 1111).doesNotHaveDuplicates();
            assertThat(all.header("Gantry-Next-Cursor")).isNull();
            assertThat(table.get(path + "&offset=1000").text()).isEqualTo(second);
        }

        @Test
        void tableContainsIncludedRecordsAndStartsAtTheCursor() {
            SharedApi.Store store = SharedApi.newStore();
            Client client = Client.of(host(), store.key());
            client.made("/v1/skus", "{\"sku\":\"A\",\"title\":\"a\"}");
            client.made("/v1/skus", "{\"sku\":\"B\",\"title\":\"b\"}");
            Client table = client.with("accept", "text/csv");
            Answer first = table.get("/v1/skus?sort=id&limit=1");
            Answer rest =
                    table.get("/v1/skus?sort=id&fields=sku,linkedParts&cursor=" + first.header("Gantry-Next-Cursor"));
            assertThat(rest.text()).isEqualTo("sku,linkedParts\r\nB,[]\r\n");
        }

        @Test
        void listWithoutATableIsExportedWhole() {
            Client client = Client.of(host(), SharedApi.newStore().key());
            Object total = client.get("/v1/printer-models?limit=1&meta=true").at("meta.total");
            Answer all = client.with("accept", "text/csv").get("/v1/printer-models?fields=id");
            assertThat(String.valueOf(all.text().lines().count() - 1)).isEqualTo(String.valueOf(total));
            assertThat(all.header("Gantry-Has-More")).isEqualTo("false");
        }

        @Test
        void connectionIsClosedWhenTheRestOfATableCannotBeRead() throws Exception {
            SharedApi.Store store = SharedApi.newStore();
            farm.gantry.api.fixture.Macros.insert(store.id(), 400, 50_000);
            HttpRequest request = HttpRequest.newBuilder(URI.create(SharedApi.url() + "/v1/macros"))
                    .header("authorization", "ApiKey " + store.key())
                    .header("accept", "text/csv")
                    .build();
            try (HttpClient http = HttpClient.newHttpClient();
                    InputStream table = http.send(request, HttpResponse.BodyHandlers.ofInputStream())
                            .body()) {
                assertThat(table.read()).isEqualTo('i');
                SharedApi.bean(MovedStores.class).begin(store.id().value(), Duration.ofSeconds(30));
                assertThatThrownBy(() -> table.transferTo(OutputStream.nullOutputStream()))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Nested
    final class Imports implements ImportContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Http implements HttpContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class IgnoredNames implements IgnoredNamesContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Messages implements MessageContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Conditions implements ConditionalContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Idempotency implements IdempotencyContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Descriptions implements DescriptionContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class DocumentationPages implements DocumentationContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Assistants implements AssistantContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class PrintHosts implements PrintHostContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Macros implements MacroContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class ApiKeys implements ApiKeyContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Sessions implements SessionContract {
        @Override
        public Host host() {
            return new Socket();
        }

        @Override
        public String origin() {
            return SharedApi.url();
        }
    }

    @Nested
    final class ConsoleFiles implements ConsoleFilesContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Queries implements QueryContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class PartBuilds implements PartBuildContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Builds implements BuildContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class SkuBuilds implements SkuBuildContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class BuildsV1 implements OldBuildContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Jobs implements JobContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class ListHints implements ListHintContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class PrinterSlots implements PrinterSlotContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Includes implements IncludeContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class FilamentPlans implements FilamentPlanContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class CostReports implements CostReportContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class SpoolsOfJobs implements SpoolContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class JobMatching implements JobMatchingContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class PrinterCommands implements PrinterCommandContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Snapshots implements SnapshotContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Walls implements WallContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class References implements ReferenceContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Printers implements PrinterContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class PrinterOperations implements PrinterOperationsContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Parts implements PartContract {
        @Override
        public Host host() {
            return new Socket();
        }

        @Test
        void rangeBeyondTheFileGetsTheErrorFormat() {
            Client client = Client.of(host(), SharedApi.newStore().key());
            String path = new Uploads(client).put("a.gcode", "0123456789");
            Object url = client.post("/v1/storage/signed-urls", "{\"paths\":[\"" + path + "\"]}")
                    .at("signedUrls[0]");
            Answer behind = Socket.to(url).with("range", "bytes=10-").get(Uploads.target(url));
            assertThat(behind.at("error")).isEqualTo("range_not_satisfiable");
            assertThat(behind.header("content-range")).startsWith("bytes */");
        }

        @Test
        void headReturnsTheSizeOfAFile() {
            Client client = Client.of(host(), SharedApi.newStore().key());
            String path = new Uploads(client).put("a.gcode", "0123456789");
            Object url = client.post("/v1/storage/signed-urls", "{\"paths\":[\"" + path + "\"]}")
                    .at("signedUrls[0]");
            Answer head = Socket.to(url).send("HEAD", Uploads.target(url), new byte[0]);
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(head.header("content-length")).isEqualTo("10");
            assertThat(head.header("accept-ranges")).isEqualTo("bytes");
            Answer part = Socket.to(url).with("range", "bytes=3-5").send("HEAD", Uploads.target(url), new byte[0]);
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.header("content-length")).isEqualTo("3");
        }
    }

    @Nested
    final class Extraction implements ExtractionContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Layouts implements LayoutContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class PrinterThrottleGroups implements PrinterThrottleGroupContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Materials implements MaterialContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Profiles implements ProfileContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Folders implements FolderContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class MaterialGroups implements MaterialGroupContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class CostComponents implements CostComponentContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Skus implements SkuContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class SkuOptions implements SkuOptionContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class SkuOptionResolution implements SkuChoiceContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Costs implements CostContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Sequences implements SequenceContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class AuditLogs implements AuditContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Orders implements OrderContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Integrations implements IntegrationContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class SignedDeliveries implements SignedDeliveryContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class StoreSettingsRoutes implements StoreSettingsContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }

    @Nested
    final class Streams implements StreamContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }
}
