package farm.gantry.ingest.stage;

import farm.gantry.Sha256;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.cad.CadMesher;
import farm.gantry.ingest.file.WorkFiles;
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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tessellation of a CAD model, cached with the part under the hash of its inputs. */
record PartMesh(IngestRequest request, WorkFiles files, Path folder, Tools tools) {
    /** The folder of included files. */
    static final String INCLUDES_FOLDER = "beside";

    StageResult<ReadResult> of(Path source, ReadResult reading) throws IOException {
        requireNoFiles(request.parameters());
        List<PartParameter> own = CadMesher.parameters(request.type(), source);
        List<PartParameter> parameters = merged(own);
        FileUri uri = FileUri.file(request.storeId(), request.partId(), "made/" + key(parameters) + "/mesh.stl");
        Path mesh = folder.resolve("mesh.stl");
        if (!files.fetchIfKept(uri, mesh)) {
            Files.copy(new CadMesher(tools).mesh(request.type(), source, parameters, fresh()), mesh);
            files.put(uri, mesh);
        }
        var made = new StageReport.Mesh(uri.toString(), request.fileHashes().getFirst(), null);
        return StageResult.done(
                reading.with(mesh), Findings.read(null, null, null, own.isEmpty() ? null : parameters, made, null));
    }

    /** A model is given texts, numbers and flags: it would be made without the file. */
    private static void requireNoFiles(List<PartParameter> parameters) throws BadFileException {
        for (PartParameter parameter : parameters) {
            if (parameter.type() == PartParameter.Type.file
                    && (parameter.effective() != null || parameter.defaultUri() != null)) {
                throw new BadFileException("The file for '" + parameter.name()
                        + "' cannot be given to the model: models take texts, numbers and flags alone");
            }
        }
    }

    /** An empty folder with the included files, also on a retry. */
    private Path fresh() throws IOException {
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

    /** The file's parameters with the part's values, then the part's other parameters. */
    private List<PartParameter> merged(List<PartParameter> own) {
        var set = request.parameters().stream()
                .collect(Collectors.toMap(PartParameter::name, Function.identity(), (first, second) -> first));
        List<PartParameter> merged = new ArrayList<>();
        for (PartParameter parameter : own) {
            PartParameter before = set.remove(parameter.name());
            merged.add(before == null ? parameter : parameter.with(before.value()));
        }
        request.parameters().stream()
                .filter(parameter -> set.containsKey(parameter.name()))
                .forEach(merged::add);
        return merged;
    }

    private String key(List<PartParameter> parameters) {
        String values = InputText.of(parameters);
        return Sha256.of(request.type() + "\n" + InputText.names(request) + request.fileHashes() + "\n" + values);
    }
}
