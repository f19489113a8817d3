package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests sequences, from which serial numbers are drawn. */
public interface SequenceContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/sequences";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\"}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of("prefix", "", "next", 1, "step", 1, "padding", 0);
    }

    @Test
    default void sequenceErrorsNameTheirPaths() {
        Answer refused = Client.of(host(), SharedApi.newStore().key())
                .post(path(), "{\"prefix\":7,\"next\":-1,\"step\":0,\"padding\":19}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder("name", "prefix", "next", "step", "padding");
    }

    @Test
    default void sequencesNeedThePermissionsOfSkus() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        Client viewer = client.permitted("sku.view");
        assertThat(viewer.get(path()).status()).isEqualTo(200);
        assertThat(viewer.post(path(), body()).at("details[0].path")).isEqualTo("sku.create");
        String id = client.made(path(), body());
        assertThat(viewer.patch(path() + "/" + id, "{}").at("details[0].path")).isEqualTo("sku.edit");
        assertThat(viewer.delete(path() + "/" + id).at("details[0].path")).isEqualTo("sku.delete");
    }
}
