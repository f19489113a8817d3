package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.contract.HttpContract;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.StreamingReplica;
import farm.gantry.api.store.StoreRows;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests lists of an API that has a streaming replica of its database. */
@Tag("long")
final class ReplicaTest {
    private static final String MACROS = "/v1/macros?meta=true&fields=id";

    @TempDir
    static Path folder;

    private static StreamingReplica databases;

    @BeforeAll
    static void start() throws Exception {
        databases = StreamingReplica.start(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        databases.close();
    }

    /** An API with a store, its owner, and a key that only reads. */
    private record Farm(ApplicationContext context, Client owner, Client reader) implements AutoCloseable {
        static Farm start(String maxLag) throws Exception {
            return start(databases, maxLag);
        }

        static Farm start(StreamingReplica databases, String maxLag) throws Exception {
            ApplicationContext context = SharedApi.another(Map.of(
                    "datasources.default.url", databases.primaryUrl(),
                    "gantry.database.replica-url", databases.replicaUrl(),
                    "gantry.database.replica-max-lag", maxLag));
            Socket socket =
                    new Socket(context.getBean(EmbeddedServer.class).getURL().toString());
            Client owner = Client.of(socket, ownerKey(context));
            return new Farm(context, owner, owner.permitted("macro.view"));
        }

        private static String ownerKey(ApplicationContext context) {
            ApiKeys keys = context.getBean(ApiKeys.class);
            return context.getBean(StoreRows.class)
                    .create("A farm", keys::createOwner)
                    .key();
        }

        Replica replica() {
            return context.getBean(Replica.class);
        }

        /** Lists until the replica has answered, and returns its answer. */
        Answer listFromReplica() {
            Answer[] answer = new Answer[1];
            Eventually.until("the replica answers a list", () -> {
                long before = replica().reads();
                answer[0] = reader.get(MACROS);
                assertThat(answer[0].status()).isEqualTo(200);
                return replica().reads() > before;
            });
            return answer[0];
        }

        String addMacro() {
            return owner.made("/v1/macros", HttpContract.MACRO);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Test
    void replicaAnswersListsOfTheCallersStoreAlone() throws Exception {
        try (Farm farm = Farm.start("1h")) {
            String macro = farm.addMacro();
            Eventually.until(
                    "the replica has the record",
                    () -> farm.listFromReplica().each("id").contains(macro));
            Client other = Client.of(
                    new Socket(farm.context()
                            .getBean(EmbeddedServer.class)
                            .getURL()
                            .toString()),
                    Farm.ownerKey(farm.context()));
            long before = farm.replica().reads();
            assertThat(other.get(MACROS).each("id")).isEmpty();
            Answer beyond = other.get("/v1/print-jobs?meta=true&include=part,printer&offset=5");
            assertThat(String.valueOf(beyond.at("meta.total"))).isEqualTo("0");
            assertThat(farm.replica().reads()).isGreaterThan(before);
        }
    }

    @Test
    void writerAndWhoeverNeedsAllChangesReadThePrimary() throws Exception {
        try (Farm farm = Farm.start("1h")) {
            farm.listFromReplica();
            databases.pause();
            try {
                String macro = farm.addMacro();
                assertThat(farm.listFromReplica().each("id")).doesNotContain(macro);
                assertThat(farm.owner().get(MACROS).each("id")).contains(macro);
                assertThat(farm.reader()
                                .with("cache-control", "no-cache")
                                .get(MACROS)
                                .each("id"))
                        .contains(macro);
                assertThat(farm.reader().get("/v1/macros/" + macro).status()).isEqualTo(200);
            } finally {
                databases.resume();
            }
        }
    }

    @Test
    void deletedKeyIsRejectedAtOnceWhereTheReplicaStillHasIt() throws Exception {
        try (Farm farm = Farm.start("1h")) {
            Answer made = farm.owner().post("/v1/api-keys", """
                    {"name": "short", "permissions": ["macro.view"]}""");
            Client deleted = farm.owner().keyed(String.valueOf(made.at("key")));
            farm.listFromReplica();
            databases.pause();
            try {
                assertThat(deleted.get(MACROS).status()).isEqualTo(200);
                farm.owner().delete("/v1/api-keys/" + made.at("id"));
                assertThat(deleted.get(MACROS).status()).isEqualTo(401);
            } finally {
                databases.resume();
            }
        }
    }

    @Test
    void primaryAnswersWhileTheReplicaIsTooFarBehind() throws Exception {
        try (Farm farm = Farm.start("1s")) {
            farm.listFromReplica();
            databases.pause();
            try {
                String macro = farm.addMacro();
                Eventually.until(
                        "the primary answers",
                        () -> farm.reader().get(MACROS).each("id").contains(macro));
                Eventually.until("the replica is found to lag", () -> {
                    assertThat(farm.reader().get(MACROS).each("id")).contains(macro);
                    return farm.replica().fallbacks() > 0;
                });
            } finally {
                databases.resume();
            }
            farm.listFromReplica();
        }
    }

    @Test
    void primaryAnswersWhenTheReplicaEnds() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(Replica.class);
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        log.start();
        try (StreamingReplica own = StreamingReplica.start(Files.createDirectory(folder.resolve("own")));
                Farm farm = Farm.start(own, "1h")) {
            farm.listFromReplica();
            own.stop();
            String macro = farm.addMacro();
            for (int i = 0; i < 3; i++) {
                assertThat(farm.reader().get(MACROS).each("id")).contains(macro);
            }
            assertThat(farm.replica().fallbacks()).isPositive();
            assertThat(log.list)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage())
                            .startsWith("the read replica failed (")
                            .endsWith("; the primary database answers lists until it recovers"));
        } finally {
            logger.detachAppender(log);
        }
    }
}
