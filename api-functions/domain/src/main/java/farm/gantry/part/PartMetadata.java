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
 * The metadata that a part file contains. Required text that a file lacks is {@code ""}. Densities are in g/cm³, diameters in mm. {@code
 * plateRenderSourceHash} identifies the source that the plate images were rendered from.
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

    /** Returns a copy with changed plates; {@code hash} identifies the source of their images. */
    public PartMetadata with(@Nullable String hash, UnaryOperator<Plate> change) {
        return RecordBuilder.copyOf(this)
                .with(PartMetadata::plateRenderSourceHash, hash)
                .with(
                        PartMetadata::plates,
                        plates == null ? null : plates.stream().map(change).toList())
                .build();
    }

    /** The machine profiles that the file was sliced for, is compatible with, and can safely be converted to. */
    @Serdeable
    public record ProfileCompat(List<String> compatible, List<String> safe, String sliced) {}

    @Serdeable
    public record SlicerVersion(Engine engine, String version) {}

    /** The wire names of OrcaSlicer, Bambu Studio, PrusaSlicer and SuperSlicer, in this order. */
    @Serdeable
    public enum Engine {
        slicer1,
        slicer2,
        slicer3,
        slicer4
    }

    /**
     * A plate of a project. Fields ending in {@code File} are entries of the archive, those ending in {@code Uri} stored files. {@code
     * empty} is true if the plate has nothing to print, else absent; metadata extraction, which reads no meshes, never sets it.
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

        /** The images of a plate, each as a file URI or as data; null if there is none. */
        public record Pictures(
                @Nullable String pick,
                @Nullable String top,
                @Nullable String thumbnail,
                @Nullable String rendered) {
            static final Pictures NONE = new Pictures(null, null, null, null);
        }

        /** Returns the plate with the URIs of its stored images. */
        public Plate withUris(Pictures uris) {
            return with(uris, new Pictures(pickData, topData, thumbnailData, null));
        }

        /** Returns whether the plate is known to be empty. */
        public boolean hasNothingToPrint() {
            return Boolean.TRUE.equals(empty);
        }

        /** Returns the plate with its images embedded as data. */
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

    /** The slicer's result for a plate; {@code prediction} is in seconds, {@code weight} in grams. */
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

    /** A text in a 3MF that a build may replace; {@code key} stays the same as long as the file's objects do. */
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
