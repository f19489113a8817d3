package farm.gantry.ingest.stage;

import farm.gantry.RecordBuilder;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Filaments;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Sliced;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.part.SlicingEstimate.Material;
import farm.gantry.part.SlicingEstimate.Profiles;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Time and filament as estimated by the file's own slicer. */
final class EstimateCalculator {
    private static final double MILLIMETRES = 1000;
    private static final double PRECISION = 10_000;

    /** The grams by which a weight may differ from what a slicer writes. */
    private static final double WRITTEN_PRECISION = 0.01;

    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private EstimateCalculator() {}

    /** The estimate of a file. */
    sealed interface Estimate {}

    record KnownEstimate(SlicingEstimate estimate) implements Estimate {}

    /** A printable file without an estimate. */
    record NoEstimate(String why) implements Estimate {}

    /** Nothing is sliced yet. */
    record NotSliced() implements Estimate {}

    static Estimate estimate(ReadResult reading, Instant now) {
        return switch (reading.type()) {
            case gcode -> ofGcode(reading, now);
            case gcode3mf, THREE_MF -> ofPlates(reading, now);
            case stl, step, scad, cadquery, build123d -> new NotSliced();
        };
    }

    private static Estimate ofGcode(ReadResult reading, Instant now) {
        GcodeMetadata facts = reading.firstGcode();
        if (facts == null || facts.estimatedSeconds() == null) {
            return new NoEstimate("The G-code does not say how long the print takes");
        }
        return new KnownEstimate(ofGcode(facts, null, now));
    }

    private static SlicingEstimate ofGcode(GcodeMetadata facts, @Nullable Profiles profiles, Instant now) {
        List<Material> materials = materials(facts.filaments());
        return new SlicingEstimate(
                Objects.requireNonNullElse(facts.estimatedSeconds(), 0L),
                facts.filaments().isWeighed() ? grams(materials) : null,
                MILLISECONDS.format(Objects.requireNonNullElse(facts.slicedAt(), now)),
                facts.slicer().toString(),
                materials,
                null,
                profiles,
                facts.layers().count(),
                firstLayer(facts),
                null);
    }

    private static SlicingEstimate.@Nullable FirstLayer firstLayer(@Nullable GcodeMetadata facts) {
        if (facts == null) {
            return null;
        }
        Double bed = facts.firstLayer().bedTemperature();
        Double nozzle = facts.firstLayer().nozzleTemperature();
        return bed == null && nozzle == null ? null : new SlicingEstimate.FirstLayer(bed, nozzle);
    }

    /** Returns the estimate of G-code that this worker sliced. A file without plates is plate 0. */
    static SlicingEstimate combineSlices(SortedMap<Integer, GcodeMetadata> slices, Profiles profiles, Instant now) {
        GcodeMetadata first = slices.firstEntry().getValue();
        if (slices.firstKey() == 0) {
            return ofGcode(first, profiles, now);
        }
        List<SlicingEstimate.Plate> plates = slices.entrySet().stream()
                .map(slice -> {
                    SlicingEstimate one = ofGcode(slice.getValue(), null, now);
                    return new SlicingEstimate.Plate(
                            slice.getKey(),
                            one.estimatedPrintTimeSeconds(),
                            one.materials(),
                            one.totalWeightGrams(),
                            one.layerCount(),
                            one.firstLayer());
                })
                .toList();
        return ofPlates(
                plates,
                Objects.requireNonNullElse(first.slicedAt(), now),
                first.slicer().toString(),
                profiles);
    }

    private static SlicingEstimate ofPlates(
            List<SlicingEstimate.Plate> plates, Instant slicedAt, String slicer, @Nullable Profiles profiles) {
        SlicingEstimate.Plate only = plates.size() == 1 ? plates.getFirst() : null;
        return new SlicingEstimate(
                plates.stream()
                        .mapToLong(SlicingEstimate.Plate::estimatedPrintTimeSeconds)
                        .sum(),
                sum(plates.stream().map(SlicingEstimate.Plate::totalWeightGrams)),
                MILLISECONDS.format(slicedAt),
                slicer,
                sumMaterials(plates),
                plates,
                profiles,
                only == null ? null : only.layerCount(),
                only == null ? null : only.firstLayer(),
                null);
    }

    /** Returns the first estimate, with the range of all if the part was sliced for several kinds of printers. */
    static SlicingEstimate combine(List<SlicingEstimate> estimates) {
        if (estimates.size() == 1) {
            return estimates.getFirst();
        }
        LongSummaryStatistics seconds = estimates.stream()
                .mapToLong(SlicingEstimate::estimatedPrintTimeSeconds)
                .summaryStatistics();
        DoubleSummaryStatistics grams = estimates.stream()
                .flatMap(estimate -> Stream.ofNullable(estimate.totalWeightGrams()))
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        boolean areWeighed = grams.getCount() == estimates.size();
        return RecordBuilder.copyOf(estimates.getFirst())
                .with(
                        SlicingEstimate::range,
                        new SlicingEstimate.Range(
                                seconds.getMin(),
                                seconds.getMax(),
                                areWeighed ? grams.getMin() : null,
                                areWeighed ? grams.getMax() : null,
                                estimates.stream()
                                        .flatMap(estimate -> Stream.ofNullable(estimate.profiles()))
                                        .map(Profiles::machineProfileName)
                                        .distinct()
                                        .toList()))
                .build();
    }

    private static List<Material> materials(Filaments filaments) {
        return withoutPartialWeights(IntStream.range(0, filaments.count())
                .mapToObj(tool -> new Material(
                        tool,
                        Objects.requireNonNullElse(Filaments.at(filaments.types(), tool), ""),
                        rounded(filaments.grams(tool)),
                        rounded(Objects.requireNonNullElse(Filaments.at(filaments.usedMillimetres(), tool), 0.0)
                                / MILLIMETRES),
                        Filaments.color(Filaments.at(filaments.colors(), tool))))
                .filter(material ->
                        material.usedGrams() == null || material.usedGrams() > 0 || material.usedMeters() > 0)
                .toList());
    }

    private static Estimate ofPlates(ReadResult reading, Instant now) {
        PartMetadata metadata = reading.metadata();
        List<PartMetadata.Plate> known = metadata == null ? null : metadata.plates();
        List<SlicingEstimate.Plate> plates = new ArrayList<>();
        for (PartMetadata.Plate plate : known == null ? List.<PartMetadata.Plate>of() : known) {
            SlicingEstimate.Plate estimate = plate(plate, reading.gcode().get(plate.id()));
            if (estimate != null) {
                plates.add(estimate);
            }
        }
        if (plates.isEmpty()) {
            return reading.type() == Part.Type.gcode3mf
                    ? new NoEstimate("No plate has an estimated print time")
                    : new NotSliced();
        }
        return new KnownEstimate(ofPlates(plates, now, slicer(metadata, reading.firstGcode()), null));
    }

    private static String slicer(@Nullable PartMetadata metadata, @Nullable GcodeMetadata facts) {
        var version = metadata == null ? null : metadata.slicerVersion();
        if (version != null) {
            return version.engine() + " " + version.version();
        }
        return facts == null ? "" : facts.slicer().toString();
    }

    /** The time is the G-code's; the weights are the project's, by its filament slots. */
    private static SlicingEstimate.@Nullable Plate plate(PartMetadata.Plate plate, @Nullable GcodeMetadata facts) {
        Sliced sliced = plate.sliced();
        Long printSeconds = facts == null ? null : facts.estimatedSeconds();
        Double predicted = sliced == null ? null : sliced.prediction();
        if (printSeconds == null && predicted == null) {
            return null;
        }
        List<Material> materials = sliced == null ? List.of() : withPurge(materials(sliced), sliced.weight());
        boolean isWeighed = !materials.isEmpty();
        if (materials.isEmpty() && facts != null) {
            materials = materials(facts.filaments());
            isWeighed = facts.filaments().isWeighed();
        }
        Double weight = sliced == null ? null : sliced.weight();
        return new SlicingEstimate.Plate(
                plate.id(),
                printSeconds == null ? Math.round(Objects.requireNonNullElse(predicted, 0.0)) : printSeconds,
                materials,
                weight != null ? weight : isWeighed ? grams(materials) : null,
                facts == null ? null : facts.layers().count(),
                firstLayer(facts));
    }

    private static List<Material> materials(Sliced sliced) {
        List<Material> materials = new ArrayList<>();
        for (Map<String, Object> filament :
                Objects.requireNonNullElse(sliced.filaments(), List.<Map<String, Object>>of())) {
            Double id = number(filament, "id");
            if (id != null && id >= 1) {
                materials.add(new Material(
                        id.intValue() - 1,
                        Objects.toString(filament.get("type"), ""),
                        number(filament, "used_g"),
                        Objects.requireNonNullElse(number(filament, "used_m"), 0.0),
                        Filaments.color(Objects.toString(filament.get("color"), ""))));
            }
        }
        return withoutPartialWeights(materials);
    }

    /**
     * Returns the filaments with what the plate weighs beyond them, by their shares: some versions of the slicer count what is purged at
     * changes of filament in the weight of the plate alone.
     */
    private static List<Material> withPurge(List<Material> materials, @Nullable Double plateGrams) {
        Double grams = grams(materials);
        boolean isMixed = materials.stream().filter(Material::takesFilament).count() > 1;
        if (plateGrams == null
                || grams == null
                || !isMixed
                || plateGrams <= grams + WRITTEN_PRECISION * (materials.size() + 1)) {
            return materials;
        }
        double factor = plateGrams / grams;
        return materials.stream()
                .map(material -> new Material(
                        material.index(),
                        material.materialType(),
                        rounded(Objects.requireNonNullElse(material.usedGrams(), 0.0) * factor),
                        rounded(material.usedMeters() * factor),
                        material.color()))
                .toList();
    }

    /** Null where it is none. */
    private static @Nullable Double number(Map<String, Object> filament, String key) {
        try {
            double number = Double.parseDouble(Objects.toString(filament.get(key), ""));
            return Double.isFinite(number) && number >= 0 ? number : null;
        } catch (NumberFormatException garbage) {
            return null;
        }
    }

    private static List<Material> sumMaterials(List<SlicingEstimate.Plate> plates) {
        Map<Integer, Material> sums = new TreeMap<>();
        plates.stream()
                .flatMap(plate -> plate.materials().stream())
                .forEach(material -> sums.merge(material.index(), material, EstimateCalculator::sum));
        return withoutPartialWeights(List.copyOf(sums.values()));
    }

    private static Material sum(Material one, Material other) {
        return new Material(
                one.index(),
                one.materialType(),
                sum(Stream.of(one, other).map(Material::usedGrams)),
                rounded(one.usedMeters() + other.usedMeters()),
                one.color());
    }

    /** Removes all weights if one is unknown, because a material without weight would count as unused. */
    private static List<Material> withoutPartialWeights(List<Material> materials) {
        return materials.stream().allMatch(material -> material.usedGrams() != null)
                ? List.copyOf(materials)
                : materials.stream()
                        .map(material -> new Material(
                                material.index(),
                                material.materialType(),
                                null,
                                material.usedMeters(),
                                material.color()))
                        .toList();
    }

    private static @Nullable Double grams(List<Material> materials) {
        return sum(materials.stream().map(Material::usedGrams));
    }

    /** Null where one of them is unknown. */
    private static @Nullable Double sum(Stream<@Nullable Double> grams) {
        double sum = 0;
        for (Double one : grams.toList()) {
            if (one == null) {
                return null;
            }
            sum += one;
        }
        return rounded(sum);
    }

    private static @Nullable Double rounded(@Nullable Double grams) {
        return grams == null ? null : Double.valueOf(rounded(grams.doubleValue()));
    }

    /** Removes rounding errors of sums. */
    private static double rounded(double sum) {
        return Math.rint(sum * PRECISION) / PRECISION;
    }
}
