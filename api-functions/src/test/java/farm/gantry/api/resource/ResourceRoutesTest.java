package farm.gantry.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Resource;
import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.folder.Folder;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery;
import farm.gantry.printer.PrinterModel;
import farm.gantry.store.StoreSettings;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.type.Argument;
import io.micronaut.http.annotation.Controller;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.web.router.Router;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the properties that all resources have in common. */
final class ResourceRoutesTest {
    /** Records with special routes: folders by type, lists in memory, one record per store, one channel. */
    private static final Set<Class<?>> WITH_ROUTES_OF_THEIR_OWN = Set.of(
            Folder.class, PrinterModel.class, StoreSettings.class, NotificationSetting.class, WebhookDelivery.class);

    /** The columns that check constraints require in addition to those that are not null, by table. */
    private static final Map<String, Map<String, String>> ASKED_BY_CHECKS =
            Map.of("partMaterialAssignment", Map.of("materialType", "PLA"));

    private static final Pattern ROUTE = Pattern.compile("([A-Z]+)(.*)");
    private static final SharedApi.Store OURS = SharedApi.newStore();
    private static final SharedApi.Store THEIRS = SharedApi.newStore();
    private static final String POWERLESS = String.valueOf(Client.of(new Socket(), OURS.key())
            .post("/v1/api-keys", "{\"name\":\"powerless\",\"permissions\":[]}")
            .at("key"));

    /** A controller's standard routes: their path, record and class. */
    record Served(String path, Class<?> record, Class<?> controller) {
        static Served of(BeanDefinition<?> controller) {
            return new Served(
                    controller.stringValue(Controller.class).orElseThrow(),
                    controller.getTypeArguments(ReadRoutes.class).getFirst().getType(),
                    controller.getBeanType());
        }

        List<String> routes() {
            List<String> routes = new ArrayList<>(List.of("GET", "POST/search", "GET/{id}"));
            if (ChangeRoutes.class.isAssignableFrom(controller)) {
                routes.addAll(List.of("PATCH/{id}", "PATCH", "DELETE", "DELETE/{id}"));
            }
            if (ResourceRoutes.class.isAssignableFrom(controller)) {
                routes.add("POST");
            }
            return routes;
        }

        boolean changes() {
            return ChangeRoutes.class.isAssignableFrom(controller);
        }

        /** Returns whether the path has a version; that of the test resource has none. */
        boolean isPublished() {
            return path.startsWith("/v");
        }

        @Override
        public String toString() {
            return path;
        }
    }

    static List<Served> resources() {
        return SharedApi.context().getBeanDefinitions(ReadRoutes.class).stream()
                .<Served>map(Served::of)
                .sorted(Comparator.comparing(Served::path))
                .toList();
    }

    /** Deletes the rows of these tests, because no request could have created them. */
    @AfterAll
    static void deleteRows() throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement delete = owner.createStatement()) {
            delete.execute("set session_replication_role = replica");
            for (Served resource : resources()) {
                delete.execute(
                        "delete from farm.\"" + Columns.of(resource.record()).table() + "\" where \"storeId\" = '"
                                + THEIRS.id().value() + "'");
            }
        }
    }

    @Test
    void everyRecordHasRoutes() {
        Set<Class<?>> records =
                Columns.ofAllRecords().stream().<Class<?>>map(Columns::type).collect(Collectors.toSet());
        records.removeAll(WITH_ROUTES_OF_THEIR_OWN);
        assertThat(resources()).extracting(Served::record).hasSameElementsAs(records);
    }

    @ParameterizedTest
    @MethodSource("resources")
    void routeIsUniqueAndRunsOnABlockingThread(Served resource) {
        Map<String, Long> found = SharedApi.bean(Router.class)
                .uriRoutes()
                .filter(route -> route.getDeclaringType() == resource.controller())
                .distinct()
                .peek(route -> assertThat(route.getAnnotationMetadata().stringValue(ExecuteOn.class))
                        .as(route.toString())
                        .contains(TaskExecutors.BLOCKING))
                .map(route -> route.getHttpMethodName()
                        + route.getUriMatchTemplate()
                                .toPathString()
                                .substring(resource.path().length()))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        for (String route : resource.routes()) {
            assertThat(found).as(route).containsEntry(route, 1L);
        }
    }

    @ParameterizedTest
    @MethodSource("resources")
    void routeNeedsItsDescribedPermission(Served resource) {
        String view = resource.record().getAnnotation(Resource.class).view()[0].wireName();
        for (String route : resource.routes()) {
            boolean reads = route.startsWith("GET") || route.endsWith("/search");
            Answer refused = send(route, resource.path(), POWERLESS, Id.next(), "not json");
            assertThat(refused.status()).as(route).isEqualTo(403);
            String needed = String.valueOf(refused.at("details[0].path"));
            assertThat(Permission.parse(needed)).as(route).isPresent();
            assertThat(needed.equals(view)).as(route + " needs " + needed).isEqualTo(reads);
            assertThat(send(route, resource.path(), "nobody's", Id.next(), "").status())
                    .as(route)
                    .isEqualTo(401);
            if (resource.isPublished()) {
                assertThat(described(resource.path(), route).get("x-permission"))
                        .as(route)
                        .isEqualTo(List.of(needed));
            }
        }
    }

    private static Map<?, ?> described(String path, String route) {
        Matcher parts = ROUTE.matcher(route);
        assertThat(parts.matches()).isTrue();
        Map<?, ?> paths = (Map<?, ?>) Objects.requireNonNull(
                SharedApi.bean(OpenApiDescription.class).tree().get("paths"));
        Map<?, ?> operations = (Map<?, ?>) Objects.requireNonNull(paths.get(path + parts.group(2)), route);
        return (Map<?, ?>) Objects.requireNonNull(operations.get(parts.group(1).toLowerCase(Locale.ROOT)), route);
    }

    @ParameterizedTest
    @MethodSource("resources")
    void routeDoesNotTouchAnotherStoresRecords(Served resource) throws Exception {
        String id = insert(resource);
        String path = resource.path();
        Answer unknown = send("GET/{id}", path, OURS.key(), Id.next(), "");
        assertThat(unknown.status()).isEqualTo(404);
        for (String route : resource.routes()) {
            if (route.contains("{id}")) {
                Answer answer = send(route, path, OURS.key(), id, "{}");
                assertThat(answer.status()).as(route).isEqualTo(404);
                assertThat(answer.at("message")).as(route).isEqualTo(unknown.at("message"));
            }
        }
        assertThat(send("GET", path + "?id=" + id, OURS.key(), id, "").each("id"))
                .isEmpty();
        if (resource.changes()) {
            String one = "[\"" + id + "\"]";
            Answer patched = send("PATCH", path, OURS.key(), id, "{\"ids\":" + one + ",\"update\":{}}");
            assertThat(patched.status()).isEqualTo(404);
            assertThat(patched.at("missing")).hasToString("[" + id + "]");
            assertThat(send("DELETE", path, OURS.key(), id, one).text()).isEqualTo("[]");
        }
        assertThat(send("GET/{id}", path, THEIRS.key(), id, "").at("id")).isEqualTo(id);
    }

    @ParameterizedTest
    @MethodSource("resources")
    void changeIsRejectedWhenTheTagIsOutdated(Served resource) throws Exception {
        if (!resource.changes()) {
            return;
        }
        String id = insert(resource);
        boolean isValid =
                send("PATCH/{id}", resource.path(), THEIRS.key(), id, "{}").status() == 200;
        String tag = Objects.requireNonNull(
                send("GET/{id}", resource.path(), THEIRS.key(), id, "").header("etag"));
        List<Map.Entry<String, String>> stale = List.of(Map.entry("if-match", "\"stale\""));
        for (String route : isValid ? List.of("PATCH/{id}", "DELETE/{id}") : List.of("DELETE/{id}")) {
            assertThat(send(route, resource.path(), THEIRS.key(), id, "{}", stale)
                            .status())
                    .as(route)
                    .isEqualTo(412);
        }
        Answer fresh = send("DELETE/{id}", resource.path(), THEIRS.key(), id, "", List.of(Map.entry("if-match", tag)));
        assertThat(fresh.status()).as(fresh.text()).isEqualTo(200);
    }

    /** A client may send back a record that it read: read-only fields are ignored. */
    @ParameterizedTest
    @MethodSource("resources")
    void routeAcceptsItsOwnResponse(Served resource) throws Exception {
        if (!resource.changes()) {
            return;
        }
        String id = insert(resource);
        String path = resource.path();
        if (send("PATCH/{id}", path, THEIRS.key(), id, "{}").status() != 200) {
            return; // the row holds what no body could say
        }
        String read = send("GET/{id}", path, THEIRS.key(), id, "").text();
        Answer changed = send("PATCH/{id}", path, THEIRS.key(), id, read);
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.at("id")).isEqualTo(id);
    }

    @ParameterizedTest
    @MethodSource("resources")
    void listSupportsAllOperators(Served resource) throws Exception {
        String id = insert(resource);
        String path = resource.path();
        for (String holds : List.of(
                "id.in=x," + id,
                "id.startsWith=" + id.substring(0, 20),
                "id=" + id + "&id.ne=x&createdAt.gte=2001-01-01T00:00:00Z&updatedAt.lt=2999-01-01T00:00:00Z",
                "id=" + id + "&sort=updatedAt:desc,id&limit=1&offset=0&meta=true")) {
            assertThat(send("GET", path + "?" + holds, THEIRS.key(), id, "").each("id"))
                    .as(holds)
                    .containsExactly(id);
        }
        for (String lacks : List.of("id.ne=" + id, "createdAt.gt=2999-01-01T00:00:00Z", "id.in=x,y")) {
            assertThat(send("GET", path + "?" + lacks, THEIRS.key(), id, "").each("id"))
                    .as(lacks)
                    .doesNotContain(id);
        }
        assertThat(send("GET", path + "?fields=id&id=" + id, THEIRS.key(), id, "")
                        .text())
                .isEqualTo("[{\"id\":\"" + id + "\"}]");
        assertThat(send("GET", path + "?createdAt.gt=never", THEIRS.key(), id, "")
                        .status())
                .isEqualTo(400);
        Answer found =
                send("POST/search", path, THEIRS.key(), id, "{\"filter\":{\"id\":\"" + id + "\"},\"fields\":\"id\"}");
        assertThat(found.status()).as(found.text()).isEqualTo(201);
        assertThat(found.each("id")).containsExactly(id);
    }

    /**
     * Sends a request without checking it against the API's description, because the rows contain values that no
     * request could set.
     */
    private static Answer send(String route, String path, String key, String id, String body) {
        return send(route, path, key, id, body, List.of());
    }

    private static Answer send(
            String route, String path, String key, String id, String body, List<Map.Entry<String, String>> more) {
        Matcher parts = ROUTE.matcher(route);
        assertThat(parts.matches()).isTrue();
        List<Map.Entry<String, String>> headers = new ArrayList<>(more);
        headers.add(Map.entry("authorization", "ApiKey " + key));
        headers.add(Map.entry("content-type", "application/json"));
        try {
            return new Socket()
                    .send(new Call(
                            parts.group(1), path + parts.group(2).replace("{id}", id), headers, Client.utf8(body)));
        } catch (Exception e) {
            throw new AssertionError(route + " of " + path, e);
        }
    }

    /** Inserts a minimal row without references into the other store. */
    private static String insert(Served resource) throws SQLException, IOException {
        Columns<?> columns = Columns.of(resource.record());
        String id = Id.next();
        Map<String, Object> row = new LinkedHashMap<>();
        for (Argument<?> component :
                BeanIntrospection.getIntrospection(resource.record()).getConstructorArguments()) {
            Column column = columns.get(component.getName());
            if (!component.isNullable() && !column.computed()) {
                row.put(column.name(), value(column, component));
            }
        }
        row.putAll(Map.of("id", id, "storeId", THEIRS.id().value()));
        row.putAll(ASKED_BY_CHECKS.getOrDefault(columns.table(), Map.of()));
        String names = row.keySet().stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        String table = "farm.\"" + columns.table() + '"';
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                PreparedStatement insert = owner.prepareStatement("insert into " + table + " (" + names + ") select "
                        + names + " from jsonb_populate_record(null::" + table + ", ?::jsonb)")) {
            owner.createStatement().execute("set session_replication_role = replica");
            insert.setString(1, SharedApi.bean(JsonMapper.class).writeValueAsString(row));
            insert.executeUpdate();
        }
        return id;
    }

    private static Object value(Column column, Argument<?> component) {
        return switch (column.type()) {
            case TEXT -> Id.next();
            case CHOICE -> column.words().getFirst();
            case INTEGER, DECIMAL -> 1;
            case FLAG -> false;
            case INSTANT -> "2026-01-01T00:00:00.000Z";
            case TEXTS -> List.of();
            case JSON -> List.class.isAssignableFrom(component.getType()) ? List.of() : Map.of();
        };
    }
}
