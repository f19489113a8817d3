package farm.gantry.ingest.reading;

import farm.gantry.RecordBuilder;
import farm.gantry.part.Part.PartMaterial;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Engine;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartMetadata.ProfileCompat;
import farm.gantry.part.PartMetadata.SlicerVersion;
import farm.gantry.part.PartMetadata.TextSlot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a G-code file; null, {@code ""} and an empty list all mean that its slicer wrote none. {@code
 * warnings} name implausible values.
 */
public record GcodeMetadata(
        Slicer slicer,
        @Nullable Instant slicedAt,
        @Nullable Long estimatedSeconds,
        Filaments filaments,
        Layers layers,
        FirstLayer firstLayer,
        Machine machine,
        List<String> warnings) {
    private static final double WIDEST_NOZZLE = 100;

    /** Without warnings. */
    public GcodeMetadata(
            Slicer slicer,
            @Nullable Instant slicedAt,
            @Nullable Long estimatedSeconds,
            Filaments filaments,
            Layers layers,
            FirstLayer firstLayer,
            Machine machine) {
        this(slicer, slicedAt, estimatedSeconds, filaments, layers, firstLayer, machine, List.of());
    }

    public GcodeMetadata with(List<String> doubts) {
        return new GcodeMetadata(slicer, slicedAt, estimatedSeconds, filaments, layers, firstLayer, machine, doubts);
    }

    /** The program that made a file; {@code engine} where the wire has a neutral name for it. */
    public record Slicer(
            String name, String version, @Nullable Engine engine) {
        public static final Slicer UNKNOWN = new Slicer("", "", null);

        public @Nullable SlicerVersion toSlicerVersion() {
            return engine == null ? null : new SlicerVersion(engine, version);
        }

        @Override
        public String toString() {
            return ((engine == null ? name : engine) + " " + version).strip();
        }
    }

    /** The filaments of a print, each list counting tools from 0. Densities are g/cm³. */
    public record Filaments(
            List<String> types,
            List<String> colors,
            List<String> ids,
            List<Double> densities,
            List<Double> diameters,
            List<Double> usedMillimetres,
            List<Double> usedGrams) {
        private static final Pattern COLOR = Pattern.compile("#?([0-9A-F]{6}|[0-9A-F]{8})");

        public static final Filaments NONE =
                new Filaments(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

        /** Returns the filaments of a slicer that does not name materials. */
        public static Filaments used(
                List<Double> densities, List<Double> diameters, List<Double> millimetres, List<Double> grams) {
            return new Filaments(List.of(), List.of(), List.of(), densities, diameters, millimetres, grams);
        }

        public int count() {
            return Stream.of(types, colors, ids, usedMillimetres, usedGrams)
                    .mapToInt(List::size)
                    .max()
                    .orElse(0);
        }

        public List<PartMaterial> materials() {
            return IntStream.range(0, count())
                    .mapToObj(index -> new PartMaterial(
                            index, color(at(colors, index)), at(ids, index), null, null, at(types, index)))
                    .toList();
        }

        /** Upper case with its {@code #}, or null where it is no colour. */
        public static @Nullable String color(@Nullable String text) {
            if (text == null) {
                return null;
            }
            String upper = text.strip().toUpperCase(Locale.ROOT);
            if (!COLOR.matcher(upper).matches()) {
                return null;
            }
            return upper.startsWith("#") ? upper : "#" + upper;
        }

        /**
         * Returns the grams that the tool uses: as written, or computed from length, diameter and density; null if
         * unknown.
         */
        public @Nullable Double grams(int tool) {
            Double written = at(usedGrams, tool);
            Double millimetres = at(usedMillimetres, tool);
            boolean isUsed = millimetres == null ? written == null && !isMeasured() : millimetres > 0;
            if (written != null && (written > 0 || !isUsed)) {
                return written;
            }
            if (!isUsed) {
                return 0.0;
            }
            Double diameter = at(diameters, tool);
            Double density = at(densities, tool);
            return millimetres == null || diameter == null || density == null || diameter * density <= 0
                    ? null
                    : millimetres * Math.PI * diameter * diameter / 4 * density / 1000;
        }

        /** Returns whether the file lists the use of any tool; tools that it does not list are then unused. */
        private boolean isMeasured() {
            return !usedMillimetres.isEmpty() || !usedGrams.isEmpty();
        }

        /** Returns whether the weight of all used filament is known. */
        public boolean isWeighed() {
            return isMeasured() && IntStream.range(0, count()).allMatch(tool -> grams(tool) != null);
        }

        public static <T> @Nullable T at(List<T> list, int index) {
            return index < list.size() ? list.get(index) : null;
        }
    }

    /** Heights in mm. */
    public record Layers(
            @Nullable Integer count,
            @Nullable Double height,
            @Nullable Double firstHeight,
            @Nullable Double objectHeight) {
        public static final Layers UNKNOWN = new Layers(null, null, null, null);
    }

    /** The temperatures that must be reached before the print begins, in °C. */
    public record FirstLayer(
            @Nullable Double bedTemperature, @Nullable Double nozzleTemperature) {
        public static final FirstLayer UNKNOWN = new FirstLayer(null, null);
    }

    /** The printer a file was made for. */
    public record Machine(
            String model, String nozzleDiameter, String settingsId, List<String> compatible, List<String> safe) {
        public static final Machine UNKNOWN = of("", "");

        /** A machine without further details. */
        public static Machine of(String model, String nozzleDiameter) {
            return new Machine(model, nozzleDiameter, "", List.of(), List.of());
        }
    }

    public PartMetadata metadata() {
        return metadata(filaments, machine, slicer, null, null);
    }

    /** Implausible values of filaments and machine, which the metadata leaves out. */
    public static List<String> warnings(Filaments filaments, Machine machine) {
        List<String> warnings = new ArrayList<>();
        for (String color : filaments.colors()) {
            if (Filaments.color(color) == null) {
                warnings.add("The colour '" + color + "' is none, so it is left out");
            }
        }
        if (!machine.nozzleDiameter().isEmpty() && !isDiameter(machine.nozzleDiameter())) {
            warnings.add("The nozzle diameter '" + machine.nozzleDiameter() + "' cannot be, so it is left out");
        }
        return warnings;
    }

    private static boolean isDiameter(String text) {
        try {
            double diameter = Double.parseDouble(text);
            return diameter > 0 && diameter < WIDEST_NOZZLE;
        } catch (NumberFormatException garbage) {
            return false;
        }
    }

    /** Returns the metadata of a file that names filaments and a machine. */
    public static PartMetadata metadata(
            Filaments filaments,
            Machine machine,
            Slicer slicer,
            @Nullable List<Plate> plates,
            @Nullable List<TextSlot> textSlots) {
        return RecordBuilder.of(PartMetadata.class)
                .with(
                        PartMetadata::filamentColors,
                        filaments.colors().stream()
                                .map(color -> Filaments.color(color) == null ? "" : color)
                                .toList())
                .with(PartMetadata::filamentType, filaments.types())
                .with(PartMetadata::filamentDensities, orNull(filaments.densities()))
                .with(PartMetadata::filamentDiameters, orNull(filaments.diameters()))
                .with(PartMetadata::filamentIds, orNull(filaments.ids()))
                .with(
                        PartMetadata::nozzleDiameter,
                        isDiameter(machine.nozzleDiameter()) ? machine.nozzleDiameter() : "")
                .with(PartMetadata::printerModel, machine.model())
                .with(
                        PartMetadata::profileCompat,
                        new ProfileCompat(machine.compatible(), machine.safe(), machine.settingsId()))
                .with(PartMetadata::slicerVersion, slicer.toSlicerVersion())
                .with(PartMetadata::plates, plates)
                .with(PartMetadata::textSlots, textSlots)
                .build();
    }

    private static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }
}
