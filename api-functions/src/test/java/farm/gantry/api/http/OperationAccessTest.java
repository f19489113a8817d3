package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Permission;
import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which callers each operation of the description rejects, and how. The results are written to {@code
 * target/operation-access-*.csv}.
 */
final class OperationAccessTest {
    private static final String ELSEWHERE = "198.51.100.77";

    private final SharedApi.Store store = SharedApi.newStore();
    private final String keyOfNobody = SharedApi.newStore().key().replaceFirst("^.{24}", SharedApi.unknownId());
    private final Map<String, String> keys = new TreeMap<>();

    /** An operation that needs a key, and the permissions that it requires. */
    private record Operation(String method, String path, List<String> permissions) {}

    /** A caller with its headers, and the expected error; {@code path} is that of its details. */
    private record Caller(String who, Map<String, String> headers, int status, String path) {}

    static List<Host> hosts() {
        return List.of(new Socket(), new Lambda());
    }

    private static List<Operation> operations() {
        Map<?, ?> paths = (Map<?, ?>)
                Objects.requireNonNull(SharedApi.bean(OpenApiDescription.class).tree().get("paths"));
        List<Operation> operations = new ArrayList<>();
        paths.forEach((path, methods) -> ((Map<?, ?>) methods).forEach((method, operation) -> {
            if (((Map<?, ?>) operation).get("x-permission") instanceof List<?> permissions) {
                operations.add(new Operation(
                        String.valueOf(method).toUpperCase(Locale.ROOT),
                        String.valueOf(path),
                        permissions.stream().map(String::valueOf).toList()));
            }
        }));
        return operations;
    }

    private String key(String name, String members) {
        return keys.computeIfAbsent(
                name,
                _ -> String.valueOf(Client.of(new Socket(), store.key())
                        .post("/v1/api-keys", "{\"name\":\"" + name + "\"," + members + "}")
                        .at("key")));
    }

    private String keyWithout(String permission) {
        String others = Arrays.stream(Permission.values())
                .map(Permission::wireName)
                .filter(each -> !each.equals(permission))
                .collect(Collectors.joining("\",\"", "[\"", "\"]"));
        return key("without " + permission, "\"permissions\":" + others);
    }

    private List<Caller> refused(Operation operation) {
        String otherStore = SharedApi.unknownId();
        List<Caller> refused = new ArrayList<>(List.of(
                new Caller("no key", Map.of(), 401, ""),
                caller("a wrong key", store.key().replaceFirst(".$", "-"), 401),
                caller("a key of nobody", keyOfNobody, 401),
                caller(
                        "an expired key",
                        key("expired", "\"fullAccess\":true,\"expiresAt\":\"2001-01-01T00:00:00Z\""),
                        401),
                caller("an inactive key", key("inactive", "\"fullAccess\":true,\"active\":false"), 401),
                caller(
                        "a key from elsewhere",
                        key("elsewhere", "\"fullAccess\":true,\"ipAllowlist\":[\"" + ELSEWHERE + "\"]"),
                        403),
                new Caller(
                        "a key of another store",
                        Map.of("authorization", "ApiKey " + store.key(), "x-store-id", otherStore),
                        403,
                        "")));
        for (String permission : operation.permissions()) {
            refused.add(new Caller(
                    "a key without " + permission,
                    Map.of("authorization", "ApiKey " + keyWithout(permission)),
                    403,
                    permission));
        }
        return refused;
    }

    private static Caller caller(String who, String key, int status) {
        return new Caller(who, Map.of("authorization", "ApiKey " + key), status, "");
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void operationRejectsUnauthorizedCallers(Host host) throws Exception {
        List<Operation> operations = operations();
        assertThat(operations).hasSizeGreaterThan(150);
        List<String> table = new ArrayList<>(List.of("method,path,caller,status,expected"));
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations) {
            for (Caller caller : refused(operation)) {
                Answer answer = send(host, operation, caller);
                String row = String.join(
                        ",",
                        operation.method(),
                        operation.path(),
                        caller.who(),
                        String.valueOf(answer.status()),
                        String.valueOf(caller.status()));
                table.add(row);
                if (!isRefusal(answer, caller)) {
                    wrong.add(row + " " + answer.text());
                }
            }
        }
        write(host, table);
        assertThat(wrong).isEmpty();
    }

    private static Answer send(Host host, Operation operation, Caller caller) throws Exception {
        List<Map.Entry<String, String>> headers =
                new ArrayList<>(caller.headers().entrySet());
        headers.add(Map.entry("content-type", "application/json"));
        String path = operation.path().replaceAll("\\{[^}]*}", SharedApi.unknownId());
        byte[] body = operation.method().equals("GET") ? new byte[0] : Client.utf8("{}");
        return host.send(new Call(operation.method(), path, headers, body));
    }

    /** Returns whether the response is the expected error; callers without a valid key all get the same body. */
    private static boolean isRefusal(Answer answer, Caller caller) {
        if (answer.status() != caller.status()) {
            return false;
        }
        Map<?, ?> body = (Map<?, ?>) Objects.requireNonNull(answer.json().getValue());
        return caller.status() == 401
                ? body.keySet().equals(Set.of("statusCode", "error", "message", "requestId"))
                        && "a valid API key is required: authorization: ApiKey <key>".equals(body.get("message"))
                : "forbidden".equals(body.get("error"))
                        && (caller.path().isEmpty() || caller.path().equals(answer.at("details[0].path")));
    }

    private static void write(Host host, List<String> table) throws IOException {
        Path target = Files.createDirectories(Path.of("target"));
        Files.write(
                target.resolve(
                        "operation-access-" + host.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ".csv"),
                table);
    }
}
