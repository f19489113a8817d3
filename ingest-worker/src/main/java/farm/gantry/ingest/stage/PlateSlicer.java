package farm.gantry.ingest.stage;

import farm.gantry.Sha256;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.drawing.SceneFilaments;
import farm.gantry.ingest.file.PartReaders;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.gcode.GcodeReader;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.FileHash;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.slicer.Slicers;
import farm.gantry.ingest.slicer.Slicers.SliceJob;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Slices a part's plates; G-code is cached with the part under the hash of its inputs, and below that under its own: what
 * was answered once is never replaced.
 */
record PlateSlicer(IngestRequest request, PartFileStorage files, Path folder, Slicers slicers) {
    private static final String CACHE_VERSION = "4";

    /** The G-code of one plate, and where it is kept. */
    record SlicedPlate(Path gcode, FileUri uri, String inputHash, boolean cached, GcodeMetadata facts) {}

    SliceSetup setup() {
        return request.setup() == null ? SliceSetup.PLAIN : request.setup();
    }

    SliceJob prepare(Path file, ReadResult reading) throws IOException {
        PartMetadata metadata = reading.metadata();
        String madeWith = metadata == null || metadata.slicerVersion() == null
                ? null
                : metadata.slicerVersion().engine().name();
        return reading.type() == Part.Type.THREE_MF
                ? slicers.prepare(setup(), madeWith, ThreemfReader.embedded(file), file)
                : slicers.prepare(setup(), madeWith, Map.of(), null);
    }

    /** Every plate that holds something to print. */
    SortedMap<Integer, SlicedPlate> all(Path file, ReadResult reading, SliceJob job) throws IOException {
        SortedMap<Integer, SlicedPlate> slices = new TreeMap<>();
        for (var plate : PartReaders.scenes(file, reading).entrySet()) {
            if (!plate.getValue().bounds().isEmpty()) {
                slices.put(plate.getKey(), slice(file, reading, job, plate.getKey(), plate.getValue()));
            }
        }
        if (slices.isEmpty()) {
            throw new BadFileException("There is nothing to print in the file");
        }
        return slices;
    }

    /** Slices one plate for a print; refuses one that would come out otherwise than it looks. */
    SlicedPlate one(Path file, ReadResult reading, SliceJob job, @Nullable Integer plate, boolean acceptsOneFilament)
            throws IOException {
        SortedMap<Integer, Scene> scenes = PartReaders.scenes(file, reading);
        int wanted = plate == null ? scenes.firstKey() : plate;
        Scene scene = scenes.get(wanted);
        if (scene == null) {
            throw new BadFileException("The part has no plate " + wanted);
        }
        Path project = reading.type() == Part.Type.THREE_MF ? file : null;
        slicers.requirePrintable(job, project, SceneFilaments.of(scene), acceptsOneFilament);
        return slice(file, reading, job, wanted, scene);
    }

    private SlicedPlate slice(Path file, ReadResult reading, SliceJob job, int plate, Scene scene) throws IOException {
        String key = key(job, plate);
        Path gcode = folder.resolve("sliced_" + plate + ".gcode");
        Optional<FileUri> known = known(key, plate);
        if (known.isPresent() && files.fetchIfKept(known.get(), gcode)) {
            return new SlicedPlate(gcode, known.get(), key, true, GcodeReader.facts(gcode));
        }
        Path project = reading.type() == Part.Type.THREE_MF ? file : null;
        Path made = slicers.slice(job, scene, project, plate, Files.createTempDirectory(folder, "slice-"));
        Files.move(made, gcode, StandardCopyOption.REPLACE_EXISTING);
        String sha256 = FileHash.of(gcode);
        FileUri uri = gcode(key, sha256, plate);
        files.put(uri, gcode);
        files.put(note(key, plate), Files.writeString(folder.resolve("sliced_" + plate + ".sha256"), sha256));
        return new SlicedPlate(gcode, uri, key, false, GcodeReader.facts(gcode));
    }

    /** The G-code that was last made of the same inputs. */
    private Optional<FileUri> known(String key, int plate) throws IOException {
        Path note = folder.resolve("known_" + plate + ".sha256");
        return files.fetchIfKept(note(key, plate), note)
                ? Optional.of(gcode(key, Files.readString(note), plate))
                : Optional.empty();
    }

    /** Names the hash of what was made. */
    private FileUri note(String key, int plate) {
        return FileUri.file(request.storeId(), request.partId(), "made/" + key + "/plate_" + plate + ".sha256");
    }

    /** A slicer makes other bytes of the same inputs each time, and jobs know those that they were answered. */
    private FileUri gcode(String key, String sha256, int plate) {
        String name = "made/" + key + "/" + sha256 + "/plate_" + plate + ".gcode";
        return FileUri.file(request.storeId(), request.partId(), name);
    }

    private String key(SliceJob job, int plate) {
        return Sha256.of(String.join(
                "\n",
                CACHE_VERSION,
                job.text(),
                request.type().name(),
                HashedInputs.names(request) + String.join(",", request.fileHashes()),
                HashedInputs.of(request.parameters()),
                Integer.toString(plate)));
    }
}
