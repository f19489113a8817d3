package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Field;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.SelfValidating;
import farm.gantry.annotation.ComputedDefault;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import farm.gantry.printer.BedSize;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file that the farm can print: a model, a project or G-code. It is ready when {@code processingStatus} is null. {@code size} is the room
 * that it needs in mm: the bounding box of a model, the largest plate of a project, or the bed that G-code was made for; null if the file
 * does not tell. {@code use3MFProcessProfile} only affects 3MF files. If a new 3MF or G-code part omits it, it is true unless {@code
 * overriddenProcessProfileId} is set; for other files it is false.
 */
@Serdeable
@Resource(table = "part", view = Permission.PART_VIEW)
@Example("""
    {
      "name": "Hinge", "type": "3mf", "userTags": ["spares"], "printTags": {"printer.nozzleDiameter": "=0.4"},
      "fileUris": ["uploads:0mwq3f7k2v9x4b8n1c6z5t0p/0mwq3f7k2v9x4b8n1c6z5t0p/hinge.3mf"]
    }\
    """)
public record Part(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank @Size(max = 500) String name,
        Type type,
        @Default("\"\"") String description,
        @Size(min = 1) List<@NotBlank String> fileUris,
        @SystemSet @Default("[]") List<String> fileHashes,
        @SystemSet @Nullable String thumbnailUri,
        @Default("[]") List<@Valid PartParameter> parameters,
        @Default("{}") @Valid PrintTags printTags,

        @References(value = "profile", type = "process") @Nullable @Pattern(regexp = Id.PATTERN)
        String overriddenProcessProfileId,

        @References(value = "folder", type = "part", inverse = "parts") @Nullable @Pattern(regexp = Id.PATTERN)
        String folderId,

        @SystemSet @Nullable List<@Valid PartMaterial> materials,
        @Nullable String slicerOverride,
        @SystemSet @Nullable PartMetadata metadata,
        @SystemSet @Nullable SlicingEstimate slicingEstimate,
        @ComputedDefault boolean use3MFProcessProfile,
        @Default("true") boolean arrangeable,
        @Default("[]") @Size(max = 10) List<@NotBlank @Size(max = 500) String> userTags,
        @SystemSet @Nullable Map<String, String> gcodePlateUris,
        @SystemSet @Nullable String meshUri,
        @SystemSet @Nullable String meshSourceHash,
        @SystemSet @Nullable String meshError,
        @SystemSet @Nullable BedSize size,
        @SystemSet @Nullable Toolpath toolpath,
        @SystemSet @Nullable Instant uploadedAt,
        @Default("{}") Map<String, Object> customMetadata,
        @SystemSet @Nullable Source source,
        @SystemSet @Nullable ProcessingStatus processingStatus,
        @SystemSet @Nullable Processing processing,
        @SystemSet @Nullable Instant heldAt,
        @SystemSet @Nullable String heldReason)
        implements SelfValidating {
    private static final List<Field<Part>> READ_FROM_FILES = List.of(
            Part::thumbnailUri,
            Part::materials,
            Part::metadata,
            Part::slicingEstimate,
            Part::gcodePlateUris,
            Part::meshUri,
            Part::meshError,
            Part::size,
            Part::toolpath);

    @Override
    public List<Fault> faults() {
        return ParameterCheck.checkNamesUnique(
                parameters.stream().map(PartParameter::name).toList());
    }

    /** Returns the part with new files, whose ingest is about to start. Results of the previous files are cleared. */
    public Part withNewFiles(List<String> fileUris, List<String> fileHashes, Processing processing) {
        RecordBuilder<Part> begun = RecordBuilder.copyOf(this)
                .with(Part::fileUris, fileUris)
                .with(Part::fileHashes, fileHashes)
                .with(Part::uploadedAt, processing.startedAt())
                .with(Part::processingStatus, ProcessingStatus.processing)
                .with(Part::processing, processing);
        READ_FROM_FILES.forEach(component -> begun.with(component, null));
        return begun.build();
    }

    /** Returns whether both parts produce the same print: a parametric model with equal parameters, or any other file. */
    public boolean isSameModel(Part other) {
        return switch (type) {
            case scad, cadquery, build123d -> parameterValues().equals(other.parameterValues());
            case stl, step, THREE_MF, gcode3mf, gcode -> true;
        };
    }

    private List<List<String>> parameterValues() {
        return parameters.stream()
                .map(parameter -> List.of(parameter.name(), String.valueOf(parameter.effectiveValue())))
                .toList();
    }

    public Part withParameters(List<PartParameter> others) {
        return RecordBuilder.copyOf(this).with(Part::parameters, others).build();
    }

    /** The content of the file; {@code gcode} and {@code gcode3mf} are printed as they are, the others are sliced. */
    @Serdeable
    public enum Type {
        scad,
        cadquery,
        build123d,
        stl,
        step,
        @JsonProperty("3mf")
        THREE_MF,
        gcode3mf,
        gcode;

        /**
         * Returns the type that the extension of a file name stands for; empty for a Python program, which may be for CadQuery or
         * build123d.
         */
        public static Optional<Type> fromFileName(String fileName) {
            String name = fileName.toLowerCase(Locale.ROOT);
            if (name.endsWith(".gcode.3mf")) {
                return Optional.of(gcode3mf);
            }
            return Optional.ofNullable(
                    switch (name.substring(name.lastIndexOf('.') + 1)) {
                        case "scad" -> scad;
                        case "stl" -> stl;
                        case "step", "stp" -> step;
                        case "3mf" -> THREE_MF;
                        case "gcode", "gco", "g", "bgcode" -> gcode;
                        default -> null;
                    });
        }
    }

    @Serdeable
    public enum Source {
        storage1,
        storage2
    }

    @Serdeable
    public enum ProcessingStatus {
        processing,
        failed
    }

    /** A filament of the part; {@code index} counts from 0. */
    @Serdeable
    public record PartMaterial(
            @Min(0) int index,

            @Nullable
            @Pattern(
                    regexp = "^#?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$",
                    message = "must be a color of 6 or 8 hexadecimal digits, such as #ff8000")
            String color,

            @Nullable String identifier,
            @Nullable String name,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Boolean skip,

            @Nullable String type) {

        public PartMaterial {
            color = color == null ? null : color.toUpperCase(Locale.ROOT);
        }
    }
}
