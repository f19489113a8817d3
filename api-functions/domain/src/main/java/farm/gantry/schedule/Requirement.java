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
 * What a job asks of a printer; jobs that ask the same find a printer or none together. {@code materials} is filament
 * index → what may be printed with, {@code filaments} what the file itself says of those not named there.
 * {@code hasProcess} is whether the part brings its own process profile; {@code made} is what its G-code was made for, null
 * where that is yet to be made; {@code size} is the room it needs in mm, null where that was never measured;
 * {@code need} is how much filament it takes. {@code failedOn} are the printers on which it failed and is not tried again, and
 * {@code isPartHeld} that its part is printed by nobody for now.
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

    /** Returns the filaments that are printed and of which the job does not say what they may be printed with. */
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
     * The machine that a G-code was made for, as far as its file tells: {@code modelName} and {@code nozzleDiameter} are
     * blank where it does not. {@code agreeing} are the other models that its makers say it suits; {@code isArchive} is a
     * sliced 3MF.
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

        /** A machine profile is named after its model and nozzle, such as {@code Flashforge AD5X 0.4 nozzle - Copy}. */
        private static String modelOfProfile(String profile) {
            return NOZZLE.matcher(profile).replaceFirst("").strip();
        }

        private static final Pattern NOZZLE = Pattern.compile("(?i)\\s*\\(?\\b[0-9.]+\\s*(mm)?\\s*nozzle\\b.*$");
    }
}
