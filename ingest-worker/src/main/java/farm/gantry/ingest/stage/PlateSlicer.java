package farm.gantry.ingest.stage;

import farm.gantry.Sha256;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.drawing.SceneFilaments;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.file.PartReaders;
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
 * Slices a part's plates. G-code is cached with the part under the hash of its inputs, and below that under its own hash: what
 * was answered once is never replaced.
 */
record PlateSlicer(IngestRequest request, PartFileStorage files, Path folder, Slicers slicers) {
    private static final String CACHE_VERSION = "4";

    /** The G-code of one plate and the address at which it is stored. */
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
                ? slicers.prepare(setup(), madeWith, ThreemfReader.readEmbeddedSettings(file), file)
                : slicers.prepare(setup(), madeWith, Map.of(), null);
    }

    /** Slices every plate that has something to print. */
    SortedMap<Integer, SlicedPlate> all(Path file, ReadResult reading, SliceJob job) throws IOException {
        SortedMap<Integer, SlicedPlate> slices = new TreeMap<>();
        for (var plate : PartReaders.readScenes(file, reading).entrySet()) {
            if (!plate.getValue().bounds().isEmpty()) {
                slices.put(plate.getKey(), slice(file, reading, job, plate.getKey(), plate.getValue()));
            }
        }
        if (slices.isEmpty()) {
            throw new BadFileException("There is nothing to print in the file");
        }
        return slices;
    }

    /** Slices one plate for a job. Throws if the print would not look like the part. */
    SlicedPlate one(Path file, ReadResult reading, SliceJob job, @Nullable Integer plate, boolean acceptsOneFilament)
            throws IOException {
        SortedMap<Integer, Scene> scenes = PartReaders.readScenes(file, reading);
        int wanted = plate == null ? scenes.firstKey() : plate;
        Scene scene = scenes.get(wanted);
        if (scene == null) {
            throw new BadFileException("The part has no plate " + wanted);
        }
        Path project = reading.type() == Part.Type.THREE_MF ? file : null;
        slicers.requirePrintable(job, project, SceneFilaments.find(scene), acceptsOneFilament);
        return slice(file, reading, job, wanted, scene);
    }

    private SlicedPlate slice(Path file, ReadResult reading, SliceJob job, int plate, Scene scene) throws IOException {
        String key = inputHash(job, plate);
        Path gcode = folder.resolve("sliced_" + plate + ".gcode");
        Optional<FileUri> known = findCached(key, plate);
        if (known.isPresent() && files.fetchIfExists(known.get(), gcode)) {
            return new SlicedPlate(gcode, known.get(), key, true, GcodeReader.readMetadata(gcode));
        }
        Path project = reading.type() == Part.Type.THREE_MF ? file : null;
        Path made = slicers.slice(job, scene, project, plate, Files.createTempDirectory(folder, "slice-"));
        Files.move(made, gcode, StandardCopyOption.REPLACE_EXISTING);
        String sha256 = FileHash.of(gcode);
        FileUri uri = gcodeUri(key, sha256, plate);
        files.put(uri, gcode);
        files.put(inputHashUri(key, plate), Files.writeString(folder.resolve("sliced_" + plate + ".sha256"), sha256));
        return new SlicedPlate(gcode, uri, key, false, GcodeReader.readMetadata(gcode));
    }

    /** Returns the cached G-code of these inputs. */
    private Optional<FileUri> findCached(String key, int plate) throws IOException {
        Path note = folder.resolve("known_" + plate + ".sha256");
        return files.fetchIfExists(inputHashUri(key, plate), note)
                ? Optional.of(gcodeUri(key, Files.readString(note), plate))
                : Optional.empty();
    }

    /** Returns the address of the file that contains the hash of the cached G-code. */
    private FileUri inputHashUri(String key, int plate) {
        return FileUri.file(request.storeId(), request.partId(), "made/" + key + "/plate_" + plate + ".sha256");
    }

    /**
     * Returns the address of G-code by its own hash, because a slicer produces different bytes each time and jobs refer
     * to theirs.
     */
    private FileUri gcodeUri(String key, String sha256, int plate) {
        String name = "made/" + key + "/" + sha256 + "/plate_" + plate + ".gcode";
        return FileUri.file(request.storeId(), request.partId(), name);
    }

    private String inputHash(SliceJob job, int plate) {
        return Sha256.of(String.join(
                "\n",
                CACHE_VERSION,
                job.text(),
                request.type().name(),
                HashedInputs.encodeNames(request) + String.join(",", request.fileHashes()),
                HashedInputs.encode(request.parameters()),
                Integer.toString(plate)));
    }
}
