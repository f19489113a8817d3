package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Field;
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

/** Worker → API: the progress and findings of a stage. Reports of outdated runs are dropped. */
@Serdeable
public record StageReport(
        String storeId,
        String partId,
        String workflowKey,
        Processing.Stage stage,
        @Nullable Findings findings) {

    /** Findings of a stage; null means "no change", never "clear". */
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

        /** Creates findings from the file's own data. */
        public static Findings ofFile(
                Part.@Nullable Type type,
                @Nullable PartMetadata metadata,
                @Nullable List<Part.PartMaterial> materials,
                @Nullable List<PartParameter> parameters,
                @Nullable Mesh mesh,
                @Nullable BedSize size) {
            return new Findings(type, metadata, materials, parameters, mesh, size, null, null, null, null, null);
        }

        /** Creates findings with the metadata including its images, and the required space. */
        public static Findings ofImages(@Nullable PartMetadata metadata, String thumbnailUri, @Nullable BedSize size) {
            return RecordBuilder.copyOf(ofFile(null, metadata, null, null, null, size))
                    .with(Findings::thumbnailUri, thumbnailUri)
                    .build();
        }

        public static Findings ofPlates(Map<String, String> gcodePlateUris) {
            return withSingle(Findings::gcodePlateUris, gcodePlateUris);
        }

        public static Findings ofEstimate(SlicingEstimate estimate) {
            return withSingle(Findings::slicingEstimate, estimate);
        }

        public static Findings ofMesh(Mesh mesh) {
            return withSingle(Findings::mesh, mesh);
        }

        private static Findings withSingle(Field<Findings> component, Object found) {
            return RecordBuilder.of(Findings.class).with(component, found).build();
        }

        /** Returns these findings with the summary of the file's G-code. */
        public Findings with(@Nullable Toolpath summary) {
            return RecordBuilder.copyOf(this).with(Findings::toolpath, summary).build();
        }

        /** Returns these findings with doubts about the file that do not prevent printing. */
        public Findings with(List<String> doubts) {
            return RecordBuilder.copyOf(this)
                    .with(Findings::warnings, doubts.isEmpty() ? null : doubts)
                    .build();
        }
    }

    /** Triangles generated from a model without a mesh, or why there are none. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Mesh(
            @Nullable String uri,
            String sourceHash,
            @Nullable String error) {}
}
