package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests conditional requests: unmodified responses have no body, and no concurrent change is lost. */
public interface ConditionalContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String made(Client owner) {
        return "/v1/macros/" + owner.made("/v1/macros", HttpContract.MACRO);
    }

    private static String tag(Answer answer) {
        String tag = answer.header("etag");
        assertThat(tag).matches("\"[!#-~]+\"");
        return String.valueOf(tag);
    }

    @Test
    default void responseIsNotModifiedWhenTheTagMatches() {
        Client owner = owner();
        String path = made(owner);
        String tag = tag(owner.get(path));
        for (String known : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
            Answer again = owner.with("if-none-match", known).get(path);
            assertThat(again.status()).as(known).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(tag(again)).isEqualTo(tag);
        }
        for (String other : List.of("\"other\"", tag.replace("\"", ""), "")) {
            assertThat(owner.with("if-none-match", other).get(path).status())
                    .as(other)
                    .isEqualTo(200);
        }
    }

    @Test
    default void headReturnsTheTagOfGet() {
        Client owner = owner();
        String path = made(owner);
        String tag = tag(owner.get(path));
        assertThat(tag(owner.send("HEAD", path, new byte[0]))).isEqualTo(tag);
        Answer known = owner.with("if-none-match", tag).send("HEAD", path, new byte[0]);
        assertThat(known.status()).isEqualTo(304);
        assertThat(tag(known)).isEqualTo(tag);
        assertThat(owner.send("HEAD", "/v1/macros", new byte[0]).header("etag"))
                .as("a list")
                .isNull();
    }

    @Test
    default void tagDependsOnTheBytesOfTheResponse() {
        Client owner = owner();
        String path = made(owner);
        String tag = tag(owner.get(path));
        assertThat(tag(owner.get(path))).isEqualTo(tag);
        for (String other : List.of("?fields=name", "?hints=true")) {
            assertThat(tag(owner.get(path + other))).as(other).isNotEqualTo(tag);
            assertThat(owner.with("if-none-match", tag).get(path + other).status())
                    .isEqualTo(200);
        }
        owner.patch(path, "{\"name\":\"tidy\"}");
        assertThat(tag(owner.get(path))).isNotEqualTo(tag);
        assertThat(owner.get("/v1/macros").header("etag")).as("a list").isNull();
    }

    @Test
    default void nonListResponseHasATag() {
        Client owner = owner();
        for (String path : List.of("/v1/settings/store", "/v1/web-init")) {
            String tag = tag(owner.get(path));
            assertThat(owner.with("if-none-match", tag).get(path).status())
                    .as(path)
                    .isEqualTo(304);
        }
        Client condition = owner.with("if-match", tag(owner.get("/v1/settings/store")));
        assertThat(condition.patch("/v1/settings/store", "{\"name\":\"Ours\"}").status())
                .isEqualTo(200);
        assertThat(condition.patch("/v1/settings/store", "{\"name\":\"Mine\"}").status())
                .isEqualTo(412);
    }

    @Test
    default void changeIsRejectedWhenTheRecordHasChanged() {
        Client owner = owner();
        String path = made(owner);
        String tag = tag(owner.get(path));
        for (String other :
                List.of("\"other\"", "W/" + tag, tag.replace("\"", ""), tag(owner.get(path + "?fields=id")))) {
            Client stale = owner.with("if-match", other);
            assertThat(stale.patch(path, "{\"name\":\"tidy\"}").at("error"))
                    .as(other)
                    .isEqualTo("precondition_failed");
            assertThat(stale.delete(path).status()).as(other).isEqualTo(412);
        }
        assertThat(tag(owner.get(path))).as("nothing was changed").isEqualTo(tag);
        assertThat(owner.with("if-match", "\"other\", " + tag)
                        .patch(path, "{\"name\":\"tidy\"}")
                        .status())
                .isEqualTo(200);
        assertThat(owner.with("if-match", tag).delete(path).status()).isEqualTo(412);
        assertThat(owner.with("if-match", "*").patch(path, "{}").status()).isEqualTo(200);
        assertThat(owner.with("if-match", tag(owner.get(path))).delete(path).status())
                .isEqualTo(200);
    }

    @Test
    default void changeByASpecialRouteIsRejectedWhenTheRecordHasChanged() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client owner = fakeAgent.client();
        String printer = "/v1/printers/" + fakeAgent.printer("one", "");
        String job = "/v1/print-jobs/" + fakeAgent.job(", \"tags\": {\"user.tags\": \"nowhere\"}");
        for (List<String> change : List.of(
                List.of(printer, "/rename", "{\"name\":\"two\"}"),
                List.of(job, "/reorder", "{\"priority\":1000}"),
                List.of(job, "/quality", "{\"good\":1,\"rejected\":0}"))) {
            String tag = tag(owner.get(change.getFirst()));
            String route = change.getFirst() + change.get(1);
            assertThat(owner.with("if-match", "\"other\"")
                            .patch(route, change.getLast())
                            .at("error"))
                    .as(route)
                    .isEqualTo("precondition_failed");
            assertThat(tag(owner.get(change.getFirst()))).as(route).isEqualTo(tag);
            assertThat(owner.with("if-match", tag)
                            .patch(route, change.getLast())
                            .status())
                    .as(route)
                    .isNotEqualTo(412);
        }
    }

    @Test
    default void conditionIsRejectedOnBulkRoutes() {
        Client owner = owner();
        String path = made(owner);
        String ids = "[\"" + path.substring(path.lastIndexOf('/') + 1) + "\"]";
        String tag = tag(owner.get(path));
        Client condition = owner.with("if-match", tag);
        for (Answer refused : List.of(
                condition.patch("/v1/macros", "{\"ids\":" + ids + ",\"update\":{\"name\":\"tidy\"}}"),
                condition.send("DELETE", "/v1/macros", Client.utf8(ids)),
                condition.send("PUT", "/v1/printers", Client.utf8("[]")),
                condition.patch("/v1/queue", "{\"paused\":true}"))) {
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
            assertThat(refused.at("error")).isEqualTo("bad_request");
            assertThat(String.valueOf(refused.at("message"))).contains("If-Match");
        }
        assertThat(tag(owner.get(path))).as("nothing was changed").isEqualTo(tag);
        assertThat(owner.get("/v1/queue").at("paused")).isEqualTo(false);
    }

    @Test
    default void otherErrorsTakePrecedenceOverTheCondition() {
        Client owner = owner();
        String path = made(owner);
        Client stale = owner.with("if-match", "\"other\"");
        assertThat(stale.patch(path, "{\"name\":5}").status()).isEqualTo(400);
        assertThat(stale.patch("/v1/macros/" + SharedApi.unknownId(), "{}").status())
                .isEqualTo(404);
        assertThat(stale.delete("/v1/macros/" + SharedApi.unknownId()).status()).isEqualTo(404);
    }

    @Test
    default void tagOfAnOrderChangesWithItsItems() {
        Client owner = owner();
        String order =
                String.valueOf(owner.post("/v1/orders", "{\"order\":{},\"items\":[{\"name\":\"hook\",\"quantity\":1}]}")
                        .at("order.id"));
        Client condition = owner.with("if-match", tag(owner.get("/v1/orders/" + order)));
        assertThat(condition
                        .patch("/v1/orders/" + order, "{\"orderNumber\":\"a\"}")
                        .status())
                .isEqualTo(200);
        assertThat(condition
                        .patch("/v1/orders/" + order, "{\"orderNumber\":\"b\"}")
                        .status())
                .isEqualTo(412);
        assertThat(condition
                        .send("PUT", "/v1/orders/" + order, Client.utf8("{\"items\":[]}"))
                        .status())
                .isEqualTo(412);
        assertThat(owner.get("/v1/orders/" + order).at("items[0].id")).isNotEqualTo("(absent)");
        assertThat(owner.with("if-match", tag(owner.get("/v1/orders/" + order)))
                        .send("PUT", "/v1/orders/" + order, Client.utf8("{\"items\":[]}"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void onlyOneConcurrentConditionalChangeSucceeds() throws Exception {
        Client owner = owner();
        String path = made(owner);
        Client condition = owner.with("if-match", tag(owner.get(path)));
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Integer>> calls = IntStream.range(0, 6)
                    .mapToObj(i -> (Callable<Integer>) () ->
                            condition.patch(path, "{\"name\":\"" + i + "\"}").status())
                    .toList();
            List<Integer> statuses = callers.invokeAll(calls).stream()
                    .map(Future::resultNow)
                    .sorted()
                    .toList();
            assertThat(statuses).containsExactly(200, 412, 412, 412, 412, 412);
        }
    }
}
