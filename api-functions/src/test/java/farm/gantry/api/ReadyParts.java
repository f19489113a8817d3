package farm.gantry.api;

import farm.gantry.RecordBuilder;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Tables;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.SlicingEstimate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Parts that have been read already, past their files. */
final class ReadyParts {
    private ReadyParts() {}

    /** A part whose print takes these filaments. */
    static String insert(SharedApi.Store store, SlicingEstimate estimate) {
        RecordReader reader = SharedApi.bean(RecordReader.class);
        Resources<Part> parts = SharedApi.bean(ResourceFactory.class).of(Part.class, "part");
        Part part = parts.record(
                store.id(),
                reader.tree(Map.of(
                        "name",
                        "bracket",
                        "type",
                        "gcode",
                        "fileUris",
                        List.of("files:x"),
                        "use3MFProcessProfile",
                        false)),
                Map.of("fileHashes", List.of("hash"), "slicingEstimate", estimate));
        SharedApi.bean(Database.class).in(store.id(), tx -> parts.table().insert(tx, part, Secrets.Shown.HIDDEN));
        return part.id();
    }

    /** A part of an uploaded file, as if it had been read. */
    static String uploaded(SharedApi.Store store, Client client) {
        String id = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        change(store, id, "processingStatus", null);
        return id;
    }

    /** A project of three plates, the second of them with G-code, and what else its body says. */
    static String project(SharedApi.Store store, Client client, String type, String rest) {
        String id = client.made("/v1/parts", new Uploads(client).part("a.3mf", type, rest));
        Map<String, Object> metadata = new HashMap<>(Map.of(
                "filamentColors", List.of(),
                "filamentType", List.of(),
                "nozzleDiameter", "",
                "printerModel", "",
                "profileCompat", Map.of("compatible", List.of(), "safe", List.of(), "sliced", "")));
        metadata.put(
                "plates",
                List.of(
                        Map.of("id", 1, "name", "one"),
                        Map.of("id", 2, "name", "two", "gcodeFile", "Metadata/plate_2.gcode"),
                        Map.of("id", 3, "name", "three", "gcodeFile", "Metadata/plate_3.gcode")));
        change(store, id, "metadata", metadata);
        change(
                store,
                id,
                "materials",
                List.of(Map.of("index", 0, "type", "PLA"), Map.of("index", 1, "type", "PLA", "skip", true)));
        change(store, id, "processingStatus", null);
        return id;
    }

    /** Marks these plates of a project as empty, and no others. */
    static void emptyPlates(SharedApi.Store store, String part, String... plates) {
        PartMetadata metadata = SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class).of(Part.class).find(tx, part))
                .orElseThrow()
                .metadata();
        change(
                store,
                part,
                "metadata",
                Objects.requireNonNull(metadata)
                        .with(
                                null,
                                plate -> RecordBuilder.copyOf(plate)
                                        .with(
                                                "empty",
                                                List.of(plates).contains(String.valueOf(plate.id())) ? true : null)
                                        .build()));
    }

    static void change(SharedApi.Store store, String id, String column, @Nullable Object value) {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put(column, value);
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class).of(Part.class).change(tx, id, Map.of(), changes));
    }

    /** An estimate with a time and a filament of unknown weight. */
    static SlicingEstimate unweighed(String type) {
        return new SlicingEstimate(
                600,
                null,
                "2026-01-01T00:00:00Z",
                "slicer3 2.5.0",
                List.of(new SlicingEstimate.Material(0, type, null, 1, null)),
                null,
                null,
                null,
                null,
                null);
    }

    /** One filament after the other, by type and grams. */
    static SlicingEstimate estimate(Object... typesAndGrams) {
        List<SlicingEstimate.Material> materials = IntStream.range(0, typesAndGrams.length / 2)
                .mapToObj(i -> new SlicingEstimate.Material(
                        i, (String) typesAndGrams[2 * i], ((Number) typesAndGrams[2 * i + 1]).doubleValue(), 1, null))
                .toList();
        double grams = IntStream.range(0, typesAndGrams.length / 2)
                .mapToDouble(i -> ((Number) typesAndGrams[2 * i + 1]).doubleValue())
                .sum();
        return new SlicingEstimate(
                600, grams, "2026-01-01T00:00:00Z", "slicer3 2.5.0", materials, null, null, null, null, null);
    }
}
