package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Tests the build requests of version 1. */
public interface OldBuildContract {
    Host host();

    @Test
    default void buildRouteOfVersion1QueuesJobs() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", BuildContract.PARAMETERS);
        Answer sku = client.post(
                "/v1/skus",
                "{\"sku\":\"LAMP-1\",\"title\":\"Lamp\",\"linkedParts\":[{\"partId\":\"" + part
                        + "\",\"label\":\"foot\",\"quantity\":1,\"parameters\":[],\"exposedParameters\":[\"width\"]}]}");
        String body = """
                {"parts":[{"partId":"%s","quantity":1,"label":"L","extensions":{"3mf":{"plateQuantities":{"2":1}}},
                  "parameterOverrides":[{"name":"lid","type":"boolean","value":false}],
                  "materialAssignments":{"0":[{"materialType":"PETG"}]}}],
                 "skus":[{"skuId":"%s","quantity":2,"parts":[{"linkedPartId":"%s",
                  "extensions":{"3mf":{"plateQuantities":{"3":1}}},
                  "parameterOverrides":[{"name":"width","type":"number","value":20}]}]}]}""".formatted(part, sku.at("id"), sku.at("linkedParts[0].id"));
        Answer built = client.post("/v1/builds", body);
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        assertThat(built.header("deprecation")).isNull();
        assertThat(built.at("skuBuilds[0].quantity")).hasToString("2");
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder");
        assertThat(jobs.each("extensions.3mf.plateId")).containsExactly("2", "3", "3");
        assertThat(jobs.each("parameterOverrides[0].value")).containsExactly("false", "20", "20");
        assertThat(jobs.at("[0].materialAssignments.0[0].materialType")).isEqualTo("PETG");
    }

    @Test
    default void errorsOfVersion1NameItsPaths() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", BuildContract.PARAMETERS);
        Answer refused = client.post("/v1/builds", """
                {"parts":[{"partId":"%s","extensions":{"3mf":{"plateQuantities":{"1":1}}},
                  "parameterOverrides":[{"name":"lid","value":true},{"name":"width","value":9}],
                  "materialAssignments":{"0":[{}]}}]}""".formatted(part));
        assertThat(BuildContract.paths(refused))
                .containsExactlyInAnyOrder(
                        "parts[0].parameterOverrides[1].value",
                        "parts[0].extensions.3mf.plateQuantities.1",
                        "parts[0].materialAssignments.0[0]");
        assertThat(refused.text()).contains("parts[0].parameterOverrides[1].value must be at least 10");
    }
}
