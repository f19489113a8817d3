package farm.gantry.api.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Macros;
import farm.gantry.api.fixture.SharedApi;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the query language of lists with texts, enums, instants, booleans, arrays and JSON. */
public interface QueryContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private Client withMacros(String... names) {
        Client client = owner();
        for (String name : names) {
            client.made(
                    "/v1/macros",
                    "{\"name\":\"" + name + "\",\"type\":\"purge\",\"gcode\":\"G28\",\"description\":"
                            + (name.length() > 3 ? "null" : "\"" + name.toUpperCase(Locale.ROOT) + "\"")
                            + ",\"compatibilities\":[{\"vendorName\":\"v-" + name + "\",\"modelName\":\"m\"}]}");
        }
        return client;
    }

    private static List<String> names(Client client, String query) {
        Answer answer = client.get("/v1/macros?" + query);
        assertThat(answer.status()).as(query + " " + answer.text()).isEqualTo(200);
        return answer.each("name");
    }

    @Test
    default void textFiltersCompareText() {
        Client client = withMacros("abc", "ABd", "100%", "a_c");
        assertThat(names(client, "name=abc")).containsExactly("abc");
        assertThat(names(client, "name.eq=abc")).containsExactly("abc");
        assertThat(names(client, "name.ne=abc")).containsExactly("ABd", "100%", "a_c");
        assertThat(names(client, "name.in=abc,a_c,zzz")).containsExactly("abc", "a_c");
        assertThat(names(client, "name.notIn=abc,a_c")).containsExactly("ABd", "100%");
        assertThat(names(client, "name.contains=B")).containsExactly("abc", "ABd");
        assertThat(names(client, "name.startsWith=ab")).containsExactly("abc", "ABd");
        assertThat(names(client, "name.endsWith=C")).containsExactly("abc", "a_c");
        assertThat(names(client, "name.contains=%25")).containsExactly("100%");
        assertThat(names(client, "name.contains=_")).containsExactly("a_c");
        assertThat(names(client, "description.isNull=true")).containsExactly("100%");
        assertThat(names(client, "description.isNull=false")).hasSize(3);
        assertThat(names(client, "description.ne=ABC")).as("ne includes null").containsExactly("ABd", "100%", "a_c");
        assertThat(names(client, "description.notIn=ABC,ABD")).containsExactly("100%", "a_c");
        assertThat(names(client, "name.startsWith=a&name.endsWith=c")).containsExactly("abc", "a_c");
    }

    @Test
    default void choiceFiltersMatchNothingForUnknownWords() {
        Client client = withMacros("a");
        assertThat(names(client, "type=purge")).hasSize(1);
        assertThat(names(client, "type=nonsense")).isEmpty();
        assertThat(names(client, "type.in=generic,purge")).hasSize(1);
        assertThat(names(client, "type.ne=nonsense")).hasSize(1);
    }

    @Test
    default void timeFiltersCompareInstants() {
        Client client = withMacros("a");
        String at = client.get("/v1/macros").each("createdAt").getFirst();
        assertThat(names(client, "createdAt=" + at)).hasSize(1);
        assertThat(names(client, "createdAt.gte=" + at)).hasSize(1);
        assertThat(names(client, "createdAt.gt=" + at)).isEmpty();
        assertThat(names(client, "createdAt.lt=" + at)).isEmpty();
        assertThat(names(client, "createdAt.between=2020-01-01,2999-12-31T23:59:59%2B02:00"))
                .hasSize(1);
        assertThat(names(client, "createdAt.between=2020-01-01,2999-12-31T23:59:59+02:00"))
                .hasSize(1);
        assertThat(names(client, "createdAt.in=" + at + ",2020-01-01")).hasSize(1);
    }

    @Test
    default void jsonFiltersCompareWholePartialAndNestedValues() {
        Client client = withMacros("a", "b");
        String whole = URLEncoder.encode("[{\"modelName\":\"m\",\"vendorName\":\"v-a\"}]", UTF_8);
        assertThat(names(client, "compatibilities=" + whole)).containsExactly("a");
        assertThat(names(client, "compatibilities.ne=" + whole)).containsExactly("b");
        assertThat(names(client, "compatibilities.contains=" + URLEncoder.encode("[{\"vendorName\":\"v-b\"}]", UTF_8)))
                .containsExactly("b");
        assertThat(names(client, "compatibilities.0.vendorName=v-b")).containsExactly("b");
        assertThat(names(client, "compatibilities.0.vendorName.in=v-a,v-b")).containsExactly("a", "b");
        assertThat(names(client, "compatibilities.0.nothing.isNull=true")).containsExactly("a", "b");
        assertThat(names(client, "compatibilities.isNull=true")).isEmpty();
    }

    @Test
    default void flagAndArrayFiltersCompareValues() {
        Client client = owner();
        client.made("/v1/api-keys", "{\"name\":\"one\",\"permissions\":[\"macro.view\"]}");
        client.made(
                "/v1/api-keys", "{\"name\":\"two\",\"permissions\":[\"macro.view\",\"macro.edit\"],\"active\":false}");
        assertThat(client.get("/v1/api-keys?active=false").each("name")).containsExactly("two");
        assertThat(client.get("/v1/api-keys?active.ne=false").each("name")).containsExactly("owner", "one");
        assertThat(client.get("/v1/api-keys?permissions=macro.view,macro.edit").each("name"))
                .containsExactly("two");
        assertThat(client.get("/v1/api-keys?permissions=").each("name")).containsExactly("owner");
        assertThat(client.get("/v1/api-keys?permissions.contains=macro.view").each("name"))
                .containsExactly("one", "two");
        assertThat(client.get("/v1/api-keys?permissions.in=macro.edit,none").each("name"))
                .containsExactly("two");
        assertThat(client.get("/v1/api-keys?expiresAt.isNull=true").each("name"))
                .hasSize(3);
    }

    @Test
    default void unknownFilterIsRejectedByName() {
        Client client = withMacros("a");
        for (String query : List.of(
                "name.gt=a",
                "name.nonsense=a",
                "name.a.b=1",
                "createdAt=yesterday",
                "createdAt=2020-13-01",
                "createdAt.between=2020-01-01",
                "createdAt.contains=2020",
                "description.isNull=maybe",
                "compatibilities=nonsense",
                "compatibilities.contains=%7B",
                "compatibilities=%22%5Cu0000%22",
                "compatibilities=%5B1e999999%5D",
                "compatibilities=",
                "compatibilities.gt=1",
                "name=a%00b",
                "compatibilities.%00=b",
                "compatibilities.0.x.contains=%00",
                "limit=0",
                "limit=x",
                "limit=-1",
                "limit=1.5",
                "offset=-1",
                "offset=x",
                "meta=yes",
                "fields=name,nonsense",
                "id.in=" + "a,".repeat(101))) {
            Answer answer = client.get("/v1/macros?" + query);
            assertThat(answer.status()).as(query).isEqualTo(400);
            assertThat(answer.at("error")).isEqualTo("invalid_filter");
            assertThat(String.valueOf(answer.at("details[0].path")))
                    .as(query)
                    .isEqualTo(URLDecoder.decode(query.substring(0, query.indexOf('=')), UTF_8));
        }
    }

    @Test
    default void sqlInValuesIsNotExecuted() {
        Client client = withMacros("a");
        for (String value :
                List.of("' or '1'='1", "\"; drop table farm.part; --", "$1", "?", "a\\", "\\'", "/*", "%", "'::int")) {
            String encoded = URLEncoder.encode(value, UTF_8);
            for (String operator : List.of("", ".ne", ".in", ".contains", ".startsWith", ".endsWith")) {
                assertThat(client.get("/v1/macros?name" + operator + "=" + encoded)
                                .status())
                        .as(value)
                        .isEqualTo(200);
            }
            assertThat(names(client, "compatibilities." + encoded + "=" + encoded))
                    .as(value)
                    .isEmpty();
            assertThat(client.get("/v1/macros?sort=" + encoded).status()).isEqualTo(400);
            assertThat(client.get("/v1/macros?fields=" + encoded).status()).isEqualTo(400);
        }
        assertThat(names(client, "")).containsExactly("a");
    }

    @Test
    default void listsAreSortedStably() {
        Client client = withMacros("b", "a", "a", "c");
        assertThat(client.get("/v1/macros").each("createdAt")).isSorted().hasSize(4);
        assertThat(client.get("/v1/macros").each("id"))
                .as("ids order records of the same millisecond")
                .isEqualTo(client.get("/v1/macros?sort=createdAt,id").each("id"));
        assertThat(names(client, "sort=name")).containsExactly("a", "a", "b", "c");
        assertThat(names(client, "sort=name:desc")).containsExactly("c", "b", "a", "a");
        List<String> ids =
                client.get("/v1/macros?sort=type,name:asc,createdAt:desc").each("id");
        assertThat(client.get("/v1/macros?sort=type,name:asc,createdAt:desc&limit=2&offset=1")
                        .each("id"))
                .isEqualTo(ids.subList(1, 3));
        for (String sort : List.of("nonsense", "name:up", "compatibilities", "name,", "a,b,c,d,e,f")) {
            Answer answer = client.get("/v1/macros?sort=" + sort);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.at("error")).isEqualTo("invalid_sort");
        }
    }

    @Test
    default void listsArePagedAndCounted() {
        Client client = withMacros("a", "b", "c");
        Answer page = client.get("/v1/macros?meta=true&limit=2&offset=0&nobodyKnows=1");
        assertThat(page.each("name")).containsExactly("a", "b");
        assertThat(page.at("meta.total")).isEqualTo(3);
        assertThat(page.at("meta.limit")).isEqualTo(2);
        assertThat(page.at("meta.offset")).isEqualTo(0);
        assertThat(page.at("meta.hasMore")).isEqualTo(true);
        assertThat(page.at("meta.ignored[0]")).isEqualTo("nobodyKnows");
        Answer past = client.get("/v1/macros?meta=true&offset=7&name.ne=a");
        assertThat(past.each("name")).isEmpty();
        assertThat(past.at("meta.total")).isEqualTo(2);
        assertThat(past.at("meta.hasMore")).isEqualTo(false);
        assertThat(past.at("meta.limit")).as("capped").isEqualTo(1000);
        assertThat(client.get("/v1/macros?meta=true&limit=5000").at("meta.limit"))
                .isEqualTo(1000);
        assertThat(client.get("/v1/macros?meta=true&limit=99999999999999999999").at("meta.limit"))
                .isEqualTo(1000);
        assertThat(names(client, "offset=9223372036854775807")).isEmpty();
    }

    @Test
    default void onlyRequestedFieldsAreReturned() {
        Client client = withMacros("a");
        assertThat(client.get("/v1/macros?fields=name,type").text()).isEqualTo("[{\"name\":\"a\",\"type\":\"purge\"}]");
        assertThat(client.get("/v1/macros?fields=name,name").text()).isEqualTo("[{\"name\":\"a\"}]");
    }

    private static List<String> found(Client client, String filter) {
        Answer answer = client.post("/v1/macros/search", "{\"filter\":" + filter + ",\"sort\":\"name\"}");
        assertThat(answer.status()).as(filter + " " + answer.text()).isEqualTo(201);
        assertThat(answer.at("meta.total")).isEqualTo(answer.each("name").size());
        return answer.each("name");
    }

    @Test
    default void searchComparesTypedValues() {
        Client client = withMacros("abc", "ABd", "a,c", "long");
        assertThat(found(client, "{}")).hasSize(4);
        assertThat(found(client, "{\"name\":\"abc\"}")).containsExactly("abc");
        assertThat(found(client, "{\"name\":{\"startsWith\":\"ab\",\"ne\":\"abc\"}}"))
                .containsExactly("ABd");
        assertThat(found(client, "{\"name\":{\"in\":[\"a,c\",\"long\"]}}")).containsExactly("a,c", "long");
        assertThat(found(client, "{\"name\":{\"in\":[]}}")).isEmpty();
        assertThat(found(client, "{\"description\":null}")).containsExactly("long");
        assertThat(found(client, "{\"description\":{\"ne\":null}}")).hasSize(3);
        assertThat(found(client, "{\"description\":{\"isNull\":true}}")).containsExactly("long");
        assertThat(found(client, "{\"createdAt\":{\"between\":[\"2020-01-01\",\"2999-12-31\"]}}"))
                .hasSize(4);
        assertThat(found(client, "{\"compatibilities\":{\"contains\":[{\"vendorName\":\"v-abc\"}]}}"))
                .containsExactly("abc");
        assertThat(found(client, "{\"compatibilities.0.vendorName\":{\"endsWith\":\"g\"}}"))
                .containsExactly("long");
        Answer keys = client.post("/v1/api-keys/search", "{\"filter\":{\"active\":true,\"permissions\":[]}}");
        assertThat(keys.each("name")).containsExactly("owner");
        for (String path : List.of("parts", "printers", "print-jobs", "part-builds", "agents")) {
            assertThat(client.post("/v1/" + path + "/search", "{}").at("meta.total"))
                    .as(path)
                    .isEqualTo(0);
        }
        assertThat(client.post("/v1/print-jobs/search", "{\"filter\":{\"priority\":{\"gte\":1.5,\"in\":[100]}}}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    default void jsonFilterAcceptsValuesNestedAsDeepAsBodies() {
        Client client = owner();
        for (int depth : new int[] {1, 64, 66, 80, 95}) {
            String nested = "[".repeat(depth) + "]".repeat(depth);
            assertThat(client.get("/v1/parts?customMetadata=" + URLEncoder.encode(nested, StandardCharsets.UTF_8))
                            .text())
                    .as("%s levels", depth)
                    .isEqualTo("[]");
            Answer found = client.post("/v1/parts/search", "{\"filter\":{\"customMetadata\":{\"ne\":" + nested + "}}}");
            assertThat(found.status()).as("%s levels", depth).isEqualTo(201);
            Answer order = client.post(
                    "/v1/orders", "{\"order\":{\"externalId\":\"A-" + depth + "\",\"note\":" + nested + "}}");
            assertThat(order.at("details[0].path")).as("%s levels", depth).isEqualTo("order.note");
        }
    }

    @Test
    default void searchCombinesFilters() {
        Client client = withMacros("a", "b", "c", "long");
        assertThat(found(client, "{\"or\":[{\"name\":\"a\"},{\"name\":\"c\"}]}"))
                .containsExactly("a", "c");
        assertThat(found(client, "{\"and\":[{\"name\":\"a\"},{\"type\":\"purge\"}]}"))
                .containsExactly("a");
        assertThat(found(client, "{\"not\":{\"name\":\"a\"}}")).containsExactly("b", "c", "long");
        assertThat(found(client, "{\"not\":{\"description\":\"A\"}}"))
                .as("not includes nulls")
                .containsExactly("b", "c", "long");
        assertThat(found(
                        client,
                        "{\"type\":\"purge\",\"or\":[{\"name\":\"a\"},{\"not\":{\"name\":{\"notIn\":[\"b\"]}}}]}"))
                .containsExactly("a", "b");
        Client other = withMacros("a");
        assertThat(found(other, "{\"or\":[{\"name\":\"a\"},{\"not\":{\"name\":\"a\"}}]}"))
                .as("only of the caller's store")
                .containsExactly("a");
    }

    @Test
    default void searchIsPagedAndSorted() {
        Client client = withMacros("b", "a", "c");
        Answer page = client.post(
                "/v1/macros/search",
                "{\"sort\":\"name:desc\",\"limit\":1,\"offset\":1,\"fields\":\"name\",\"meta\":false,\"later\":1}");
        assertThat(page.status()).isEqualTo(201);
        assertThat(page.text()).startsWith("{\"data\":[{\"name\":\"b\"}],\"meta\":{");
        assertThat(page.at("meta.total")).isEqualTo(3);
        assertThat(page.at("meta.hasMore")).isEqualTo(true);
        assertThat(page.at("meta.ignored[0]")).isEqualTo("later");
        assertThat(client.post("/v1/macros/search", "{\"sort\":\"nonsense\"}").at("error"))
                .isEqualTo("invalid_sort");
        assertThat(client.post("/v1/macros/search", "[]").at("error")).isEqualTo("validation_failed");
    }

    @Test
    default void invalidSearchIsRejectedAtItsPath() {
        Client client = owner();
        String deep = "{\"not\":".repeat(6) + "{\"name\":\"a\"}" + "}".repeat(6);
        String many = "{\"or\":[" + "{\"name\":\"a\"},".repeat(100) + "{\"name\":\"a\"}]}";
        Map.ofEntries(
                        Map.entry("{\"or\":[{\"name\":\"a\"},{\"name\":{\"gt\":\"a\"}}]}", "filter.or[1].name.gt"),
                        Map.entry("{\"nothing\":1}", "filter.nothing"),
                        Map.entry("{\"name\":1}", "filter.name"),
                        Map.entry("{\"name\":[\"a\"]}", "filter.name"),
                        Map.entry("{\"name\":{}}", "filter.name"),
                        Map.entry("{\"name\":{\"near\":1}}", "filter.name.near"),
                        Map.entry("{\"name\":{\"in\":\"a\"}}", "filter.name.in"),
                        Map.entry("{\"name\":{\"in\":[\"a\",null]}}", "filter.name.in[1]"),
                        Map.entry("{\"name\":\"a\\u0000\"}", "filter.name"),
                        Map.entry("{\"name\":\"\\ud800\"}", "filter.name"),
                        Map.entry("{\"description\":{\"isNull\":\"true\"}}", "filter.description.isNull"),
                        Map.entry("{\"createdAt\":{\"between\":[\"2020-01-01\"]}}", "filter.createdAt.between"),
                        Map.entry("{\"createdAt\":{\"gt\":\"soon\"}}", "filter.createdAt.gt"),
                        Map.entry("{\"createdAt\":5}", "filter.createdAt"),
                        Map.entry("{\"and\":{}}", "filter.and"),
                        Map.entry("{\"or\":[]}", "filter.or"),
                        Map.entry("{\"or\":[{}]}", "filter.or[0]"),
                        Map.entry("{\"not\":7}", "filter.not"),
                        Map.entry("[]", "filter"),
                        Map.entry(deep, "filter" + ".not".repeat(6)),
                        Map.entry(many, "filter.or[100].name"))
                .forEach((filter, place) -> {
                    Answer answer = client.post("/v1/macros/search", "{\"filter\":" + filter + "}");
                    assertThat(answer.status()).as(filter).isEqualTo(400);
                    assertThat(answer.at("error")).isEqualTo("invalid_filter");
                    assertThat(answer.at("details[0].path")).isEqualTo(place);
                });
        for (String body :
                List.of("{\"limit\":0}", "{\"limit\":\"5\"}", "{\"offset\":1.5}", "{\"fields\":[\"name\"]}")) {
            assertThat(client.post("/v1/macros/search", body).at("error"))
                    .as(body)
                    .isEqualTo("invalid_filter");
        }
        assertThat(client.post("/v1/print-jobs/search", "{\"filter\":{\"priority\":1e999999}}")
                        .status())
                .isEqualTo(400);
        Client reader = client.permitted("macro.edit");
        assertThat(reader.post("/v1/macros/search", "{}").status()).isEqualTo(403);
    }

    @Test
    default void cursorPagesThroughAllRecords() {
        SharedApi.Store store = SharedApi.newStore();
        Macros.insert(store.id(), 7, 8);
        Client client = Client.of(host(), store.key());
        for (String sort : List.of("", "&sort=id:desc", "&sort=createdAt:desc", "&sort=createdAt:desc,id:asc")) {
            List<String> all = client.get("/v1/macros?" + sort).each("id");
            List<String> read = new ArrayList<>();
            String cursor = "";
            for (int page = 0; page < 3; page++) {
                Answer answer = client.get("/v1/macros?meta=true&fields=id&limit=3" + sort + cursor);
                read.addAll(answer.each("id"));
                assertThat(answer.at("meta.total")).isEqualTo(7);
                assertThat(answer.at("meta.hasMore")).isEqualTo(page < 2);
                cursor = "&cursor=" + answer.at("meta.nextCursor");
            }
            assertThat(cursor).as("no page is left").isEqualTo("&cursor=(absent)");
            assertThat(read).as(sort).isEqualTo(all);
        }
        List<String> ids = client.get("/v1/macros").each("id");
        String first =
                String.valueOf(client.post("/v1/macros/search", "{\"limit\":6}").at("meta.nextCursor"));
        client.delete("/v1/macros/" + ids.getFirst());
        Answer rest = client.post("/v1/macros/search", "{\"cursor\":\"" + first + "\"}");
        assertThat(rest.each("id"))
                .as("a record deleted before changes nothing")
                .containsExactly(ids.getLast());
        client.delete("/v1/macros/" + ids.getLast());
        assertThat(client.get("/v1/macros?meta=true&cursor=" + first).at("meta.total"))
                .isEqualTo(5);
    }

    @Test
    default void cursorIsRejectedWhenTruncatedOrOfAnotherSort() {
        Client client = withMacros("a", "b");
        assertThat(client.get("/v1/macros?meta=true&limit=1&sort=name").at("meta.nextCursor"))
                .as("names may change")
                .isEqualTo("(absent)");
        String cursor =
                String.valueOf(client.get("/v1/macros?meta=true&limit=1").at("meta.nextCursor"));
        for (String wrong : List.of(
                "",
                "x",
                "%00",
                "!",
                cursor.substring(1),
                cursor.substring(4),
                cursor + "&sort=name",
                cursor + "&sort=id")) {
            Answer answer = client.get("/v1/macros?cursor=" + wrong);
            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(answer.at("details[0].path")).isEqualTo("cursor");
        }
    }
}
