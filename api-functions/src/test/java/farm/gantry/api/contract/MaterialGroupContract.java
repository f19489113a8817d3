package farm.gantry.api.contract;

import java.util.Map;

/** Tests groups of materials, a resource without rules of its own. */
public interface MaterialGroupContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/materials/groups";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\"}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of("description", "null");
    }
}
