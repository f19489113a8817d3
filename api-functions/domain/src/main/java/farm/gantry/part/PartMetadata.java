package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.RecordBuilder;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a part file says of itself. Required text that a file lacks is {@code ""}. Densities are g/cm³, diameters mm;
 * {@code plateRenderSourceHash} names the source the plate renders were drawn from.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PartMetadata(
        List<String> filamentColors,
        List<String> filamentType,
        @Nullable List<Double> filamentDensities,
        @Nullable List<Double> filamentDiameters,
        @Nullable List<String> filamentIds,
        String nozzleDiameter,
        String printerModel,
        @Valid ProfileCompat profileCompat,
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable SlicerVersion slicerVersion,
        @Nullable String plateRenderSourceHash,
        @Nullable List<@Valid Plate> plates,
        @Nullable List<@Valid TextSlot> textSlots) {

    /** Returns a copy with its plates changed; {@code hash} is that of the source of their renders. */
    public PartMetadata with(@Nullable String hash, UnaryOperator<Plate> change) {
        return RecordBuilder.copyOf(this)
                .with(PartMetadata::plateRenderSourceHash, hash)
                .with(
                        PartMetadata::plates,
                        plates == null ? null : plates.stream().map(change).toList())
                .build();
    }

    /** The machine profiles the file was sliced for, suits, and can be moved up to. */
    @Serdeable
    public record ProfileCompat(List<String> compatible, List<String> safe, String sliced) {}

    @Serdeable
    public record SlicerVersion(Engine engine, String version) {}

    /** OrcaSlicer, Bambu Studio, PrusaSlicer and SuperSlicer under the wire's neutral names. */
    @Serdeable
    public enum Engine {
        slicer1,
        slicer2,
        slicer3,
        slicer4
    }

    /**
     * One bed of a project. Names ending in {@code File} are entries of the archive, in {@code Uri} kept files. {@code empty}
     * is true of a plate that holds nothing to print, and absent else; an extraction, which reads no meshes, never says it.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Plate(
            int id,
            @Nullable String name,
            @Nullable Boolean empty,
            @Nullable Boolean locked,
            @Nullable List<String> filamentIds,
            @Nullable String filamentMapMode,
            @Nullable List<Integer> filamentMaps,
            @Nullable String gcodeFile,
            @Nullable String patternBboxFile,
            @Nullable String pickData,
            @Nullable String pickFile,
            @Nullable String pickUploadedUri,
            @Nullable String topData,
            @Nullable String topFile,
            @Nullable String topUploadedUri,
            @Nullable String thumbnailData,
            @Nullable String thumbnailFile,
            @Nullable String thumbnailNoLightFile,
            @Nullable String thumbnailRenderedUri,
            @Nullable String thumbnailUploadedUri,
            @Nullable Sliced sliced) {

        /** Where each of its pictures is, or what it is; null where there is none. */
        public record Pictures(
                @Nullable String pick,
                @Nullable String top,
                @Nullable String thumbnail,
                @Nullable String rendered) {
            static final Pictures NONE = new Pictures(null, null, null, null);
        }

        /** With its pictures as kept files. */
        public Plate withUris(Pictures uris) {
            return with(uris, new Pictures(pickData, topData, thumbnailData, null));
        }

        /** Whether it is known to hold nothing to print. */
        public boolean hasNothingToPrint() {
            return Boolean.TRUE.equals(empty);
        }

        /** With its pictures inside the record. */
        public Plate withData(Pictures data) {
            return with(Pictures.NONE, data);
        }

        private Plate with(Pictures uris, Pictures data) {
            return RecordBuilder.copyOf(this)
                    .with(Plate::pickData, data.pick)
                    .with(Plate::pickUploadedUri, uris.pick)
                    .with(Plate::topData, data.top)
                    .with(Plate::topUploadedUri, uris.top)
                    .with(Plate::thumbnailData, data.thumbnail)
                    .with(Plate::thumbnailRenderedUri, uris.rendered)
                    .with(Plate::thumbnailUploadedUri, uris.thumbnail)
                    .build();
        }
    }

    /** The slicer's result for a plate: {@code prediction} in seconds, {@code weight} in grams. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Sliced(
            @Nullable String extruderType,
            @Nullable String filamentMaps,
            @Nullable Integer index,
            @Nullable Boolean labelObjectEnabled,
            @Nullable String nozzleDiameters,
            @Nullable String nozzleVolumeType,
            @Nullable Boolean outside,
            @Nullable Double prediction,
            @Nullable String printerModelId,
            @Nullable Boolean supportUsed,
            @Nullable String timelapseType,
            @Nullable Double weight,
            @Nullable List<Map<String, Object>> filaments,
            @Nullable List<Map<String, Object>> layerFilamentLists,
            @Nullable List<Map<String, Object>> objects,
            @Nullable List<Map<String, Object>> warnings) {}

    /** A text of a 3MF that a build may replace; {@code key} is stable while the file's objects are. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TextSlot(
            String key,
            String label,
            String text,
            int volumeCount,
            @Nullable String fontName,
            @Nullable String fontVersion,
            @Nullable Integer surfaceType,
            @Nullable List<@Valid Occurrence> occurrences) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Occurrence(
            int plateId,
            String objectId,
            int instanceId,
            @Nullable String identifyId) {}
}
