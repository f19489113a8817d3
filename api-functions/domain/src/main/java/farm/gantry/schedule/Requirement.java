package farm.gantry.schedule;

import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PrintTags;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import java.util.List;
import java.util.SortedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of a job on a printer. Jobs with equal requirements fit the same printers. {@code materials} are the allowed materials
 * by filament index, {@code filaments} the file's own filaments, for those without a choice. {@code hasProcess} is true if the part has its
 * own process profile. {@code made} is the machine that its G-code was made for, null if it is not sliced yet; {@code size} is the room it
 * needs in mm, null if unknown; {@code need} is the amount of filament. {@code failedOn} are printers on which it failed and that it must
 * avoid; {@code isPartHeld} is true if its part is on hold.
 */
public record Requirement(
        PrintTags tags,
        SortedMap<Integer, List<Assignment>> materials,
        List<Part.PartMaterial> filaments,
        boolean needsSlicing,
        boolean hasProcess,
        @Nullable FileTarget made,
        @Nullable BedSize size,
        @Nullable Toolpath toolpath,
        FilamentNeed need,
        List<String> failedOn,
        boolean isPartHeld) {

    /** Returns the filaments that are used and for which the job has no choice of materials. */
    public List<Part.PartMaterial> unchosenFilaments() {
        return filaments.stream()
                .filter(filament ->
                        materials.getOrDefault(filament.index(), List.of()).isEmpty()
                                && !Boolean.TRUE.equals(filament.skip())
                                && need.uses(filament.index()))
                .toList();
    }

    /** Returns the requirement with these printers as those on which the job failed. */
    Requirement withFailedOn(List<String> printerIds) {
        return new Requirement(
                tags,
                materials,
                filaments,
                needsSlicing,
                hasProcess,
                made,
                size,
                toolpath,
                need,
                printerIds,
                isPartHeld);
    }

    /**
     * The machine that G-code was made for, as far as the file states it; {@code modelName} and {@code nozzleDiameter} are blank if it does
     * not. {@code agreeing} are other models that it is declared to be compatible with; {@code isArchive} is true for a sliced 3MF.
     */
    public record FileTarget(String modelName, List<String> agreeing, String nozzleDiameter, boolean isArchive) {
        public static FileTarget of(
                @Nullable String modelName,
                PartMetadata.@Nullable ProfileCompat compat,
                @Nullable String nozzleDiameter,
                boolean isArchive) {
            List<String> agreeing = compat == null
                    ? List.of()
                    : Stream.of(List.of(compat.sliced()), compat.compatible(), compat.safe())
                            .flatMap(List::stream)
                            .map(FileTarget::modelOfProfile)
                            .filter(model -> !model.isBlank())
                            .distinct()
                            .toList();
            return new FileTarget(
                    modelName == null ? "" : modelName,
                    agreeing,
                    nozzleDiameter == null ? "" : nozzleDiameter,
                    isArchive);
        }

        /**
         * Returns the model in the name of a machine profile, which is followed by its nozzle, such as {@code Flashforge AD5X 0.4 nozzle -
         * Copy}.
         */
        private static String modelOfProfile(String profile) {
            return NOZZLE.matcher(profile).replaceFirst("").strip();
        }

        private static final Pattern NOZZLE = Pattern.compile("(?i)\\s*\\(?\\b[0-9.]+\\s*(mm)?\\s*nozzle\\b.*$");
    }
}
