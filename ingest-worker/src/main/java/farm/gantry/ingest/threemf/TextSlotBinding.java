package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite.EntryContent;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.ingest.threemf.model.ModelFile.ComponentObject;
import farm.gantry.ingest.threemf.model.ModelFile.MeshObject;
import farm.gantry.ingest.threemf.model.ModelFile.ObjectPlacement;
import farm.gantry.part.PartParameter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Puts parameter values into a project's text slots: replaces their meshes and the text in the settings. */
public record TextSlotBinding(ThreemfArchive archive, Path folder, Consumer<String> warnings) {

    /** The project with the parameters' words, or the file itself where no parameter is named as one of its slots. */
    public static Path bind(Path file, List<PartParameter> parameters, Path folder, Consumer<String> warnings)
            throws IOException {
        if (parameters.isEmpty()) {
            return file;
        }
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            String name = archive.has(ThreemfArchive.BAMBU_SETTINGS)
                    ? ThreemfArchive.BAMBU_SETTINGS
                    : ThreemfReader.PRUSA_SETTINGS;
            XmlElement settings = XmlElement.root(archive, name, PlateParser.MAX_SIZE);
            List<TextReplacement> changes = TextReplacement.findAll(new TextSlots(settings), parameters);
            if (changes.isEmpty()) {
                return file;
            }
            return name.equals(ThreemfArchive.BAMBU_SETTINGS)
                    ? new TextSlotBinding(archive, folder, warnings).bind(settings, changes)
                    : new PrusaTextBinding(archive, folder, warnings).bind(name, settings, changes);
        }
    }

    private Path bind(XmlElement settings, List<TextReplacement> changes) throws IOException {
        ThreemfModel model = ThreemfModel.open(archive, new VolumeSettings(settings));
        Map<String, Map<String, Mesh>> meshes = new HashMap<>();
        for (TextReplacement change : changes) {
            ObjectPlacement component = component(model, change.text());
            String file = component.path() == null ? model.rootName() : component.path();
            meshes.computeIfAbsent(file, _ -> new HashMap<>())
                    .put(component.objectId(), textMesh(model, file, component, change));
        }
        Map<String, EntryContent> changed = new HashMap<>();
        meshes.forEach(
                (file, contents) -> changed.put(file, new ModelRewrite(archive, file, new MeshReplacement(contents))));
        changed.put(
                ThreemfArchive.BAMBU_SETTINGS,
                EntryContent.of(withNewText(settings, changes).toXml()));
        return new ArchiveRewrite(archive).write(folder.resolve("bound.3mf"), _ -> true, changed);
    }

    private static ObjectPlacement component(ThreemfModel model, TextSlots.TextVolume text) throws IOException {
        if (model.root().objects().get(text.objectId()) instanceof ComponentObject object) {
            for (ObjectPlacement component : object.components()) {
                if (component.objectId().equals(text.partId())) {
                    return component;
                }
            }
        }
        throw new BadFileException("The text '" + text.text() + "' has no mesh of its own that could be replaced");
    }

    private Mesh textMesh(ThreemfModel model, String file, ObjectPlacement component, TextReplacement change)
            throws IOException {
        if (!(model.file(file).objects().get(component.objectId()) instanceof MeshObject old)) {
            throw new BadFileException("The text '" + change.text().text() + "' has no mesh");
        }
        return change.textMesh(old.mesh(), warnings);
    }

    private static XmlElement withNewText(XmlElement settings, List<TextReplacement> changes) {
        return settings.mapChildren(
                object -> object.name().equals("object"),
                object -> object.mapChildren(
                        part -> part.name().equals("part"),
                        part -> changes.stream()
                                .filter(change -> change.isOf(
                                        Objects.requireNonNullElse(object.attribute("id"), ""),
                                        Objects.requireNonNullElse(part.attribute("id"), "")))
                                .findFirst()
                                .map(change -> change.withNewText(part))
                                .orElse(part)));
    }
}
