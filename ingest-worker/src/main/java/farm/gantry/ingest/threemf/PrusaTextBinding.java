package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.ingest.threemf.model.ModelFile.MeshObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Text binding in PrusaSlicer's projects, where a text is a range of its object's triangles: the ranges after it
 * move.
 */
record PrusaTextBinding(ThreemfArchive archive, Path folder, Consumer<String> warnings) {
    private static final int MAX_TRIANGLES = 4_000_000;
    private static final int SIDE = 4;

    Path bind(String settingsName, XmlElement settings, List<TextReplacement> changes) throws IOException {
        ThreemfModel model = ThreemfModel.open(archive, new VolumeSettings(settings));
        Map<String, Mesh> meshes = new HashMap<>();
        List<XmlElement> objects = new ArrayList<>();
        for (XmlElement object : settings.children()) {
            String id = Objects.requireNonNullElse(object.attribute("id"), "");
            List<TextReplacement> own = changes.stream()
                    .filter(change -> object.name().equals("object")
                            && change.text().objectId().equals(id))
                    .toList();
            objects.add(own.isEmpty() ? object : bind(model, object, id, own, meshes));
        }
        return new ArchiveRewrite(archive)
                .write(
                        folder.resolve("bound.3mf"),
                        _ -> true,
                        Map.of(
                                model.rootName(),
                                new ModelRewrite(archive, model.rootName(), new MeshReplacement(meshes)),
                                settingsName,
                                ArchiveRewrite.EntryContent.of(
                                        new XmlElement(settings.name(), settings.attributes(), objects).toXml())));
    }

    private XmlElement bind(
            ThreemfModel model, XmlElement object, String id, List<TextReplacement> changes, Map<String, Mesh> meshes)
            throws IOException {
        String words = changes.getFirst().text().text();
        if (!(model.root().objects().get(id) instanceof MeshObject meshed)) {
            throw new BadFileException("The text '" + words + "' has no mesh of its own that could be replaced");
        }
        Mesh before = meshed.mesh();
        var after = new Mesh.Builder(MAX_TRIANGLES);
        List<XmlElement> children = new ArrayList<>();
        int done = 0;
        int volumes = 0;
        for (XmlElement child : object.children()) {
            if (!child.name().equals("volume")) {
                children.add(child);
                continue;
            }
            int first = Objects.requireNonNullElse(AttributeValues.integer(child.attribute("firstid")), -1);
            int last = Objects.requireNonNullElse(AttributeValues.integer(child.attribute("lastid")), -1);
            if (first != done || last < first || last >= before.triangles()) {
                throw new BadFileException("The text '" + words + "' lies in an object whose volumes overlap");
            }
            String partId = TextSlots.volumeId(volumes++);
            TextReplacement change = changes.stream()
                    .filter(each -> each.isOf(id, partId))
                    .findFirst()
                    .orElse(null);
            Mesh own = before.range(first, last - first + 1);
            int from = after.triangles();
            after.add(change == null ? own : textMesh(child, change, own), Transform.NONE);
            children.add(ranged(change == null ? child : change.withNewText(child), from, after.triangles() - 1));
            done = last + 1;
        }
        if (done != before.triangles()) {
            throw new BadFileException("The text '" + words + "' lies in an object of which parts are in no volume");
        }
        meshes.put(id, after.build());
        return new XmlElement(object.name(), object.attributes(), children);
    }

    /** The text lies flat where the slicer made it, before it was turned onto the object. */
    private Mesh textMesh(XmlElement volume, TextReplacement change, Mesh old) throws BadFileException {
        Transform place = matrix(volume.metadata("matrix"));
        Transform back = place.inverse();
        if (back == null) {
            throw new BadFileException("The text '" + change.text().text() + "' is flattened to nothing");
        }
        return change.textMesh(old.moved(back), warnings).moved(place);
    }

    /** Four rows, the last of each the move; 3MF has them as columns. */
    private static Transform matrix(@Nullable String rows) {
        String[] words = Objects.requireNonNullElse(rows, "").strip().split("\\s+", -1);
        if (words.length != SIDE * SIDE) {
            return Transform.NONE;
        }
        var columns = new StringBuilder();
        for (int column = 0; column < SIDE; column++) {
            for (int row = 0; row < SIDE - 1; row++) {
                columns.append(words[row * SIDE + column]).append(' ');
            }
        }
        Transform matrix = Transform.parse(columns.toString());
        return matrix == null ? Transform.NONE : matrix;
    }

    private static XmlElement ranged(XmlElement volume, int first, int last) {
        Map<String, String> attributes = new LinkedHashMap<>(volume.attributes());
        attributes.put("firstid", Integer.toString(first));
        attributes.put("lastid", Integer.toString(last));
        return new XmlElement(volume.name(), attributes, volume.children());
    }
}
