package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.BuildItem;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.model.ModelFile;
import farm.gantry.ingest.threemf.model.ModelFile.ComponentObject;
import farm.gantry.ingest.threemf.model.ModelFile.MeshObject;
import farm.gantry.ingest.threemf.model.ModelFile.ModelObject;
import farm.gantry.ingest.threemf.model.ModelFile.ObjectPlacement;
import farm.gantry.ingest.threemf.model.ModelParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The root model and those that it takes objects from, with every object that is built laid out in its place. */
final class ThreemfModel {
    private static final String KEYS = "Secure/keystore.xml";
    private static final int MAX_DEPTH = 16;
    private static final int MAX_VOLUMES = 20_000;
    private static final int MAX_COMPONENTS = MAX_VOLUMES * MAX_DEPTH;
    private static final long MAX_TRIANGLES = 16_000_000;

    private final ThreemfArchive archive;
    private final String rootName;
    private final Map<String, ModelFile> files = new HashMap<>();
    private final VolumeSettings volumes;
    private final AtomicInteger componentCount = new AtomicInteger();
    private final AtomicInteger volumeCount = new AtomicInteger();
    private final AtomicLong triangles = new AtomicLong();

    private ThreemfModel(ThreemfArchive archive, String rootName, VolumeSettings volumes) {
        this.archive = archive;
        this.rootName = rootName;
        this.volumes = volumes;
    }

    static ThreemfModel open(ThreemfArchive archive, VolumeSettings volumes) throws IOException {
        if (archive.has(KEYS)) {
            throw new BadFileException("The model is encrypted and cannot be read; export it without encryption");
        }
        ThreemfModel model =
                new ThreemfModel(archive, Relationships.read(archive).model(), volumes);
        for (String path : model.root().slicePaths()) {
            if (model.file(path).hasSliceReferences()) {
                throw new BadFileException(path + " refers to slices of yet another model, which 3MF forbids");
            }
        }
        return model;
    }

    String rootName() {
        return rootName;
    }

    /** Warnings about parts of the models that are ignored. */
    List<String> warnings() {
        return files.values().stream()
                .flatMap(file -> file.warnings().stream())
                .sorted()
                .toList();
    }

    ModelFile root() throws IOException {
        return file(rootName);
    }

    ModelFile file(String name) throws IOException {
        ModelFile known = files.get(name);
        if (known != null) {
            return known;
        }
        ModelFile read = ModelParser.parse(archive, name, name.equals(rootName));
        files.put(name, read);
        return read;
    }

    /** The build items in file order; null for one that is not printable, to keep positions. */
    List<@Nullable BuildItem> items() throws IOException {
        List<@Nullable BuildItem> items = new ArrayList<>();
        for (ObjectPlacement placed : root().build()) {
            items.add(placed.printable() ? item(placed) : null);
        }
        return items;
    }

    private BuildItem item(ObjectPlacement placed) throws IOException {
        String file = placed.path() == null ? rootName : placed.path();
        ModelObject shape = shape(file, placed.objectId());
        List<Volume> into = new ArrayList<>();
        switch (shape) {
            case MeshObject meshed -> {
                for (Volume body : volumes.ofMesh(placed.objectId(), meshed, placed.place())) {
                    add(into, body);
                }
            }
            case ComponentObject composed -> {
                for (ObjectPlacement part : composed.components()) {
                    expand(file, part, placed.place(), placed.objectId(), part.objectId(), 1, into);
                }
            }
        }
        return new BuildItem(placed.objectId(), volumes.nameOf(placed.objectId(), shape.name()), into);
    }

    /** A part keeps the settings of the component nearest to the object, whatever hangs below it. */
    private void expand(
            String from,
            ObjectPlacement part,
            Transform outer,
            String objectId,
            String partId,
            int depth,
            List<Volume> into)
            throws IOException {
        if (depth > MAX_DEPTH) {
            throw new BadFileException("The model nests its components too deeply");
        }
        if (componentCount.incrementAndGet() > MAX_COMPONENTS) {
            throw tooMany();
        }
        String file = part.path() == null ? from : part.path();
        Transform place = part.place().then(outer);
        switch (shape(file, part.objectId())) {
            case MeshObject meshed -> add(into, volumes.ofPart(objectId, partId, meshed, place));
            case ComponentObject composed -> {
                for (ObjectPlacement inner : composed.components()) {
                    expand(file, inner, place, objectId, partId, depth + 1, into);
                }
            }
        }
    }

    private void add(List<Volume> into, Volume body) throws BadFileException {
        if (volumeCount.incrementAndGet() > MAX_VOLUMES
                || triangles.addAndGet(body.mesh().triangles()) > MAX_TRIANGLES) {
            throw tooMany();
        }
        into.add(body);
    }

    private static BadFileException tooMany() {
        return new BadFileException("The model's components expand to too many objects");
    }

    private ModelObject shape(String file, String objectId) throws IOException {
        ModelObject shape = file(file).objects().get(objectId);
        if (shape == null) {
            throw new BadFileException(file + " has no object " + objectId);
        }
        return shape;
    }
}
