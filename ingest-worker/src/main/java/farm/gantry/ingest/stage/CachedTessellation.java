package farm.gantry.ingest.stage;

import farm.gantry.RecordBuilder;
import farm.gantry.Sha256;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.cad.CadMesher;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.PartParameter;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport;
import farm.gantry.wire.StageReport.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tessellation of a CAD model, cached with the part under the hash of its inputs. */
record CachedTessellation(IngestRequest request, PartFileStorage files, Path folder, Tools tools) {
    private static final int SHORT_HASH = 16;

    /** The folder of included files. */
    static final String INCLUDES_FOLDER = "beside";

    StageResult<ReadResult> of(Path source, ReadResult reading) throws IOException {
        List<PartParameter> own = CadMesher.readParameters(request.type(), source);
        List<PartParameter> parameters = mergeParameters(own);
        FileUri uri = FileUri.file(request.storeId(), request.partId(), "made/" + inputHash(parameters) + "/mesh.stl");
        Path mesh = folder.resolve("mesh.stl");
        if (!files.fetchIfExists(uri, mesh)) {
            Path fresh = newModelFolder();
            Files.copy(
                    new CadMesher(tools).mesh(request.type(), source, toModelValues(parameters, fresh), fresh), mesh);
            files.put(uri, mesh);
        }
        var made = new StageReport.Mesh(uri.toString(), request.fileHashes().getFirst(), null);
        return StageResult.done(
                reading.with(mesh), Findings.ofFile(null, null, null, own.isEmpty() ? null : parameters, made, null));
    }

    /** The address of the file that is a parameter's value; null where it has none, or is a text, number or flag. */
    static @Nullable FileUri fileUri(PartParameter parameter, String storeId) throws BadFileException {
        String uri = parameter.type() == PartParameter.Type.file ? parameter.fileUri() : null;
        return uri == null
                ? null
                : FileUri.parse(uri)
                        .filter(file -> file.area() == FileUri.Area.files
                                && file.storeId().equals(storeId))
                        .orElseThrow(() -> new BadFileException(
                                "The value of '" + parameter.name() + "' is not the address of a kept file: " + uri));
    }

    /** The place of a parameter's file, below the folder of the run and below that of the model. */
    static String relativePath(FileUri file) {
        return CadMesher.VALUES_FOLDER + "/" + Sha256.of(file.toString()).substring(0, SHORT_HASH) + "/"
                + file.fileName();
    }

    /** The parameters as the model gets them: a file as the text of its path, which is relative to the model. */
    private List<PartParameter> toModelValues(List<PartParameter> parameters, Path fresh) throws IOException {
        List<PartParameter> given = new ArrayList<>();
        for (PartParameter parameter : parameters) {
            FileUri file = fileUri(parameter, request.storeId());
            if (file == null) {
                given.add(parameter);
                continue;
            }
            if (!CadMesher.canIncludeFiles(request.type())) {
                throw new BadFileException("The file for '" + parameter.name()
                        + "' cannot be given to the model, which takes no parameters");
            }
            String place = relativePath(file);
            Files.createDirectories(fresh.resolve(place).getParent());
            Files.copy(folder.resolve(place), fresh.resolve(place), StandardCopyOption.REPLACE_EXISTING);
            given.add(RecordBuilder.copyOf(parameter)
                    .with(PartParameter::type, PartParameter.Type.string)
                    .with(PartParameter::value, place)
                    .build());
        }
        return given;
    }

    /** Creates the model's folder with only the included files, also on a retry. */
    private Path newModelFolder() throws IOException {
        Path fresh = Files.createTempDirectory(folder, "model-");
        Path includes = folder.resolve(INCLUDES_FOLDER);
        if (Files.isDirectory(includes)) {
            try (Stream<Path> included = Files.list(includes)) {
                for (Path file : included.toList()) {
                    Files.copy(file, fresh.resolve(file.getFileName()));
                }
            }
        }
        return fresh;
    }

    /**
     * The model's parameters with the part's values of their types, then the part's other parameters. The part may say that a
     * text names a file.
     */
    private List<PartParameter> mergeParameters(List<PartParameter> own) {
        var set = request.parameters().stream()
                .collect(Collectors.toMap(PartParameter::name, Function.identity(), (first, second) -> first));
        List<PartParameter> merged = new ArrayList<>();
        for (PartParameter parameter : own) {
            PartParameter before = set.remove(parameter.name());
            if (before != null && before.type() == parameter.type()) {
                merged.add(parameter.withValue(before.value()));
            } else {
                boolean isFile = before != null
                        && before.type() == PartParameter.Type.file
                        && parameter.type() == PartParameter.Type.string;
                merged.add(isFile ? before : parameter);
            }
        }
        request.parameters().stream()
                .filter(parameter -> set.containsKey(parameter.name()))
                .forEach(merged::add);
        return merged;
    }

    private String inputHash(List<PartParameter> parameters) {
        String values = HashedInputs.encode(parameters);
        return Sha256.of(
                request.type() + "\n" + HashedInputs.encodeNames(request) + request.fileHashes() + "\n" + values);
    }
}
