package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.RecordBuilder;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartParameter;
import farm.gantry.part.Processing;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Worker → API: a stage of a run moved, and this was found. Whoever keeps the part drops reports of another run. */
@Serdeable
public record StageReport(
        String storeId,
        String partId,
        String workflowKey,
        Processing.Stage stage,
        @Nullable Findings findings) {

    /** What a stage found; null is "nothing new", never "clear it". */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Findings(
            Part.@Nullable Type type,
            @Nullable PartMetadata metadata,
            @Nullable List<Part.PartMaterial> materials,
            @Nullable List<PartParameter> parameters,
            @Nullable Mesh mesh,
            @Nullable BedSize size,
            @Nullable String thumbnailUri,
            @Nullable Map<String, String> gcodePlateUris,
            @Nullable SlicingEstimate slicingEstimate,
            @Nullable List<String> warnings,
            @Nullable Toolpath toolpath) {

        /** What the file says of itself. */
        public static Findings read(
                Part.@Nullable Type type,
                @Nullable PartMetadata metadata,
                @Nullable List<Part.PartMaterial> materials,
                @Nullable List<PartParameter> parameters,
                @Nullable Mesh mesh,
                @Nullable BedSize size) {
            return new Findings(type, metadata, materials, parameters, mesh, size, null, null, null, null, null);
        }

        /** The metadata again, with its pictures named, and the room that what they show needs. */
        public static Findings pictures(@Nullable PartMetadata metadata, String thumbnailUri, @Nullable BedSize size) {
            return RecordBuilder.copyOf(read(null, metadata, null, null, null, size))
                    .with("thumbnailUri", thumbnailUri)
                    .build();
        }

        public static Findings plates(Map<String, String> gcodePlateUris) {
            return one("gcodePlateUris", gcodePlateUris);
        }

        public static Findings estimate(SlicingEstimate estimate) {
            return one("slicingEstimate", estimate);
        }

        public static Findings mesh(Mesh mesh) {
            return one("mesh", mesh);
        }

        private static Findings one(String name, Object found) {
            return RecordBuilder.of(Findings.class).with(name, found).build();
        }

        /** These findings with the summary of the file's G-code. */
        public Findings with(@Nullable Toolpath summary) {
            return RecordBuilder.copyOf(this).with("toolpath", summary).build();
        }

        /** The same with what the stage does not believe, and could do without. */
        public Findings with(List<String> doubts) {
            return RecordBuilder.copyOf(this)
                    .with("warnings", doubts.isEmpty() ? null : doubts)
                    .build();
        }
    }

    /** The triangles made of a model that has none of its own, or why there are none. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Mesh(
            @Nullable String uri,
            String sourceHash,
            @Nullable String error) {}
}
