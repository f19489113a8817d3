package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.ModelFile.Composed;
import farm.gantry.ingest.threemf.ModelFile.Meshed;
import farm.gantry.ingest.threemf.ModelFile.Placed;
import farm.gantry.ingest.threemf.Repack.Content;
import farm.gantry.part.PartParameter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Puts new words into a project's text slots: their meshes are made anew, and the project remembers the words. */
public record TextBinding(Archive archive, Path folder, Consumer<String> warnings) {

    /** The project with the parameters' words, or the file itself where no parameter is named as one of its slots. */
    public static Path bind(Path file, List<PartParameter> parameters, Path folder, Consumer<String> warnings)
            throws IOException {
        if (parameters.isEmpty()) {
            return file;
        }
        try (Archive archive = Archive.open(file)) {
            String name = archive.has(Plates.NAME) ? Plates.NAME : ThreemfReader.PRUSA_SETTINGS;
            Element settings = Element.root(archive, name, Plates.LARGEST);
            List<TextChange> changes = TextChange.of(new TextSlots(settings), parameters);
            if (changes.isEmpty()) {
                return file;
            }
            return name.equals(Plates.NAME)
                    ? new TextBinding(archive, folder, warnings).bound(settings, changes)
                    : new VolumeBinding(archive, folder, warnings).bound(name, settings, changes);
        }
    }

    private Path bound(Element settings, List<TextChange> changes) throws IOException {
        Model model = Model.of(archive, new Volumes(settings));
        Map<String, Map<String, Mesh>> meshes = new HashMap<>();
        for (TextChange change : changes) {
            Placed component = component(model, change.text());
            String file = component.path() == null ? model.rootName() : component.path();
            meshes.computeIfAbsent(file, _ -> new HashMap<>())
                    .put(component.objectId(), lettered(model, file, component, change));
        }
        Map<String, Content> changed = new HashMap<>();
        meshes.forEach((file, contents) -> changed.put(file, new ModelRewrite(archive, file, new NewMeshes(contents))));
        changed.put(Plates.NAME, Content.of(reworded(settings, changes).written()));
        return new Repack(archive).write(folder.resolve("bound.3mf"), _ -> true, changed);
    }

    private static Placed component(Model model, TextSlots.Text text) throws IOException {
        if (model.root().objects().get(text.objectId()) instanceof Composed object) {
            for (Placed component : object.components()) {
                if (component.objectId().equals(text.partId())) {
                    return component;
                }
            }
        }
        throw new BadFileException("The text '" + text.text() + "' has no mesh of its own that could be made anew");
    }

    private Mesh lettered(Model model, String file, Placed component, TextChange change) throws IOException {
        if (!(model.file(file).objects().get(component.objectId()) instanceof Meshed old)) {
            throw new BadFileException("The text '" + change.text().text() + "' has no mesh");
        }
        return change.lettered(old.mesh(), warnings);
    }

    private static Element reworded(Element settings, List<TextChange> changes) {
        return settings.mapped(
                object -> object.name().equals("object"),
                object -> object.mapped(
                        part -> part.name().equals("part"),
                        part -> changes.stream()
                                .filter(change -> change.isOf(
                                        Objects.requireNonNullElse(object.attribute("id"), ""),
                                        Objects.requireNonNullElse(part.attribute("id"), "")))
                                .findFirst()
                                .map(change -> change.reworded(part))
                                .orElse(part)));
    }
}
