package farm.gantry.api.sku;

import farm.gantry.StoreId;
import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.ReferencedFileCopies;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.material.MaterialReferenceChecks;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.part.PartParameter;
import farm.gantry.sku.LinkedPart;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Validates linked parts on every path of change: each material choice has one meaning, each binding names a property of its
 * SKU. The totals of their SKUs are updated.
 */
@Singleton
final class LinkedPartService {
    private final Resources<LinkedPart> linkedParts;
    private final Table<LinkedPart> table;

    LinkedPartService(
            ResourceFactory factory,
            SkuCostRows costs,
            MaterialReferenceChecks materials,
            PropertyBindingChecks properties,
            ReferencedFileCopies named) {
        this.linkedParts = factory.of(LinkedPart.class, "linked part")
                .checkedBy((tx, linkedPart) -> withOwnFiles(named, tx, validate(tx, materials, properties, linkedPart)))
                .followedBy((tx, before, after) -> costs.refresh(
                        tx,
                        Stream.concat(before.stream(), after.stream())
                                .map(LinkedPart::skuId)
                                .filter(Objects::nonNull)
                                .toList()));
        this.table = linkedParts.table();
    }

    Resources<LinkedPart> resource() {
        return linkedParts;
    }

    private static LinkedPart withOwnFiles(ReferencedFileCopies named, Tx tx, LinkedPart linkedPart) {
        return linkedPart.withParameters(linkedPart.parameters().stream()
                .map(parameter -> parameter.type() == PartParameter.Type.file
                        ? new LinkedPart.Parameter(
                                parameter.name(), parameter.type(), named.copyToOwner(tx, linkedPart.id(), parameter.value()))
                        : parameter)
                .toList());
    }

    private static LinkedPart validate(
            Tx tx, MaterialReferenceChecks materials, PropertyBindingChecks properties, LinkedPart linkedPart) {
        Faults faults = new Faults();
        materials.check(
                tx,
                faults,
                Map.of("materialAssignments", Objects.requireNonNullElse(linkedPart.materialAssignments(), Map.of())));
        properties.check(tx, faults, linkedPart);
        faults.check();
        return linkedPart;
    }

    /** Reports their errors before anything is stored. */
    void check(Faults faults, StoreId store, JsonNode bodies) {
        faults.readEach("linkedParts", bodies, body -> isKept(body) ? body : linkedParts.parseNew(store, body, Map.of()));
    }

    /** Adds what they name that is not there, if they are refused for other faults. */
    void addUnknown(Caller caller, Faults faults, JsonNode bodies) {
        for (int i = 0; bodies.isArray() && i < bodies.size(); i++) {
            linkedParts.addUnknown(caller, faults, "linkedParts[" + i + "]", bodies.get(i));
        }
    }

    private static boolean isKept(JsonNode body) {
        return body.get("id") != null;
    }

    /**
     * Replaces the SKU's linked parts by these: those with an id are updated or adopted, those without are created, all
     * others deleted.
     */
    void replace(Tx tx, Caller caller, String skuId, JsonNode bodies) {
        Faults faults = new Faults();
        List<String> ids = faults.readEach("linkedParts", bodies, body -> {
            JsonNode ofSku =
                    body.isObject() ? RecordReader.with(body, "skuId", JsonNode.createStringNode(skuId)) : body;
            return isKept(body) ? changeLinkedPart(tx, caller, skuId, ofSku) : createLinkedPart(tx, caller, ofSku);
        });
        faults.check();
        List<String> gone = table.find(tx, ListQuery.all(table.columns(), LinkedPart::skuId, skuId)).stream()
                .map(LinkedPart::id)
                .filter(id -> !ids.contains(id))
                .toList();
        linkedParts.delete(tx, gone);
    }

    private String createLinkedPart(Tx tx, Caller caller, JsonNode body) {
        LinkedPart made = linkedParts.parseNew(tx.store(), body, Map.of());
        linkedParts.create(tx, caller, made);
        return made.id();
    }

    private String changeLinkedPart(Tx tx, Caller caller, String skuId, JsonNode body) {
        String id = body.get("id").coerceStringValue();
        LinkedPart linkedPart = table.lock(tx, id)
                .filter(kept -> kept.skuId() == null || kept.skuId().equals(skuId))
                .orElseThrow(() -> ProblemException.invalid(
                        "id", "unknown", "id names no linked part of this SKU, and none that is without one"));
        linkedParts.patch(tx, caller, linkedPart.id(), body, (_, _, changed) -> changed);
        return linkedPart.id();
    }
}
