package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests cost components: the cost of a unit of work, overhead or other material. */
public interface CostComponentContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/cost-components";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\",\"type\":\"labor\",\"unit\":\"min\",\"rate\":2.5}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of("type", "labor", "unit", "min", "rate", 2.5);
    }

    @Test
    default void costComponentsNeedThePermissionsOfSkus() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        Client viewer = client.permitted("sku.view");
        assertThat(viewer.get(path()).status()).isEqualTo(200);
        assertThat(viewer.post(path(), body()).at("details[0].path")).isEqualTo("sku.edit");
        assertThat(viewer.post("/v1/linked-parts", "{}").at("details[0].path")).isEqualTo("sku.edit");
    }
}
