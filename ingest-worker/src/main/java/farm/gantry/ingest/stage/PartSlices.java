package farm.gantry.ingest.stage;

import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.FileReaders;
import farm.gantry.ingest.file.Sha256;
import farm.gantry.ingest.file.WorkFiles;
import farm.gantry.ingest.gcode.GcodeReader;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.GcodeFacts;
import farm.gantry.ingest.reading.Reading;
import farm.gantry.ingest.slicer.Slicers;
import farm.gantry.ingest.slicer.Slicers.Order;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Slices a part's plates. G-code is kept with the part under the hash of all that it depends on, and made once. */
record PartSlices(IngestRequest request, WorkFiles files, Path folder, Slicers slicers) {
    private static final String WAY = "2";

    /** The G-code of one plate, and where it is kept. */
    record Slice(Path gcode, FileUri uri, String inputHash, boolean cached, GcodeFacts facts) {}

    SliceSetup setup() {
        return request.setup() == null ? SliceSetup.PLAIN : request.setup();
    }

    Order order(Path file, Reading reading) throws IOException {
        PartMetadata metadata = reading.metadata();
        String madeWith = metadata == null || metadata.slicerVersion() == null
                ? null
                : metadata.slicerVersion().engine().name();
        Map<String, Object> embedded = reading.type() == Part.Type.THREE_MF ? ThreemfReader.embedded(file) : Map.of();
        return slicers.order(setup(), madeWith, embedded);
    }

    /** Every plate that holds something to print. */
    SortedMap<Integer, Slice> all(Path file, Reading reading, Order order) throws IOException {
        SortedMap<Integer, Slice> slices = new TreeMap<>();
        for (var plate : FileReaders.scenes(file, reading).entrySet()) {
            if (!plate.getValue().bounds().isEmpty()) {
                slices.put(plate.getKey(), slice(file, reading, order, plate.getKey(), plate.getValue()));
            }
        }
        if (slices.isEmpty()) {
            throw new BadFileException("There is nothing to print in the file");
        }
        return slices;
    }

    Slice one(Path file, Reading reading, Order order, @Nullable Integer plate) throws IOException {
        SortedMap<Integer, Scene> scenes = FileReaders.scenes(file, reading);
        int wanted = plate == null ? scenes.firstKey() : plate;
        Scene scene = scenes.get(wanted);
        if (scene == null) {
            throw new BadFileException("The part has no plate " + wanted);
        }
        return slice(file, reading, order, wanted, scene);
    }

    private Slice slice(Path file, Reading reading, Order order, int plate, Scene scene) throws IOException {
        String key = key(order, plate);
        FileUri uri = FileUri.file(request.storeId(), request.partId(), "made/" + key + "/plate_" + plate + ".gcode");
        Path gcode = folder.resolve("sliced_" + plate + ".gcode");
        boolean cached = files.fetchIfKept(uri, gcode);
        if (!cached) {
            Path project = reading.type() == Part.Type.THREE_MF ? file : null;
            Path made = slicers.slice(order, scene, project, plate, Files.createTempDirectory(folder, "slice-"));
            Files.move(made, gcode);
            files.put(uri, gcode);
        }
        return new Slice(gcode, uri, key, cached, GcodeReader.facts(gcode));
    }

    private String key(Order order, int plate) {
        String values = request.parameters().stream()
                .map(parameter -> parameter.name() + "=" + parameter.effective())
                .collect(Collectors.joining("\n"));
        return Sha256.of(String.join(
                        "\n",
                        WAY,
                        order.text(),
                        request.type().name(),
                        String.join(",", request.fileHashes()),
                        values,
                        Integer.toString(plate))
                .getBytes(StandardCharsets.UTF_8));
    }
}
