package farm.gantry.api.builds;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.builds.SkuOptionCatalog;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMaterialAssignment;
import farm.gantry.sequence.Sequence;
import farm.gantry.sku.LinkedPart;
import farm.gantry.sku.Sku;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Loads the records that builds are made from, with one query per type for any number of requested items. */
@Singleton
final class BuildInputLoader {
    private final Table<Sku> skus;
    private final Table<LinkedPart> linkedParts;
    private final Table<Part> parts;
    private final Table<PartMaterialAssignment> assignments;
    private final Table<Sequence> sequences;
    private final SkuOptionLoader options;

    BuildInputLoader(Tables tables, SkuOptionLoader options) {
        this.options = options;
        this.skus = tables.of(Sku.class);
        this.linkedParts = tables.of(LinkedPart.class);
        this.parts = tables.of(Part.class);
        this.assignments = tables.of(PartMaterialAssignment.class);
        this.sequences = tables.of(Sequence.class);
    }

    /**
     * The records found for a request. SKUs are indexed by id and by {@code sku}, materials by part id and filament index, sequences by the
     * id or name that the bindings use.
     */
    record LoadedRecords(
            Map<String, Sku> skusById,
            Map<String, Sku> skusByName,
            Map<String, List<LinkedPart>> linkedParts,
            Map<String, Part> parts,
            Map<String, Map<String, List<Assignment>>> materials,
            Map<String, Sequence> sequences,
            Map<String, SkuOptionCatalog> options) {

        SkuOptionCatalog options(Sku sku) {
            return options.getOrDefault(sku.id(), SkuOptionCatalog.NONE);
        }

        @Nullable
        Sku sku(BuildRequest.RequestedSku wish) {
            return wish.skuId() != null ? skusById.get(wish.skuId()) : skusByName.get(wish.sku());
        }
    }

    /**
     * Loads the records and locks parts and SKUs until the transaction ends, so that a part's files are not deleted before its jobs are
     * visible.
     */
    LoadedRecords load(Tx tx, BuildRequest request) {
        Set<String> skuIds = skuIds(tx, request);
        List<LinkedPart> linked = linkedParts.find(tx, LinkedPart::skuId, skuIds);
        Set<String> partIds = Stream.concat(
                        request.parts().stream().map(BuildRequest.RequestedPart::partId),
                        linked.stream().map(LinkedPart::partId))
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Part> locked = parts.lockAll(tx, partIds);
        Map<String, Sku> byId = skus.lockAll(tx, skuIds);
        locked.values().forEach(BuildInputLoader::refuseUnlessReady);
        return new LoadedRecords(
                byId,
                byId.values().stream().collect(Collectors.toMap(Sku::sku, sku -> sku)),
                linked.stream().collect(Collectors.groupingBy(part -> Objects.requireNonNull(part.skuId()))),
                locked,
                materials(tx, locked.keySet()),
                sequences(tx, linked),
                options.load(tx, skuIds, chosenOptionValueIds(request)));
    }

    private static Set<String> chosenOptionValueIds(BuildRequest request) {
        return request.skus().stream()
                .flatMap(wish -> wish.optionValueIds().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> skuIds(Tx tx, BuildRequest request) {
        Set<String> ids = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        for (BuildRequest.RequestedSku wish : request.skus()) {
            if (wish.skuId() != null) {
                ids.add(wish.skuId());
            } else if (wish.sku() != null) {
                names.add(wish.sku());
            }
        }
        skus.find(tx, Sku::sku, names).forEach(sku -> ids.add(sku.id()));
        return ids;
    }

    private static void refuseUnlessReady(Part part) {
        if (part.processingStatus() != null) {
            throw ProblemException.conflict("part '" + part.name() + "' is not ready: its file is "
                    + (part.processingStatus() == Part.ProcessingStatus.failed ? "refused" : "still being read"));
        }
    }

    private Map<String, Map<String, List<Assignment>>> materials(Tx tx, Collection<String> partIds) {
        Map<String, Map<String, List<Assignment>>> materials = new HashMap<>();
        assignments.find(tx, PartMaterialAssignment::partId, partIds).stream()
                .sorted((one, other) -> Integer.compare(one.priority(), other.priority()))
                .forEach(each -> materials
                        .computeIfAbsent(each.partId(), _ -> new TreeMap<>())
                        .computeIfAbsent(String.valueOf(each.index()), _ -> new ArrayList<>())
                        .add(new Assignment(each.materialId(), each.variantId(), each.materialType(), each.groupId())));
        return materials;
    }

    /** Returns the sequences by id, or by name where it is unique. */
    private Map<String, Sequence> sequences(Tx tx, List<LinkedPart> linked) {
        Set<String> bindings = linked.stream()
                .map(LinkedPart::sequenceBindings)
                .filter(Objects::nonNull)
                .flatMap(each -> each.values().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Sequence> found = new HashMap<>();
        sequences.find(tx, Sequence::name, bindings).stream()
                .collect(Collectors.groupingBy(Sequence::name))
                .forEach((name, ofName) -> {
                    if (ofName.size() == 1) {
                        found.put(name, ofName.getFirst());
                    }
                });
        sequences.find(tx, Sequence::id, bindings).forEach(sequence -> found.put(sequence.id(), sequence));
        return found;
    }
}
