package farm.gantry.ingest.threemf;

import farm.gantry.ingest.lettering.Lettering;
import farm.gantry.ingest.lettering.Typeface;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.ModelFile.Composed;
import farm.gantry.ingest.threemf.ModelFile.Meshed;
import farm.gantry.ingest.threemf.ModelFile.Placed;
import farm.gantry.ingest.threemf.Repack.Content;
import farm.gantry.part.PartParameter;
import farm.gantry.part.PartParameter.Sizing;
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

/** Puts new words into a project's text slots: their meshes are made anew, and the project remembers the words. */
public record TextBinding(Archive archive, Path folder, Consumer<String> warnings) {

    /** One volume that is to bear other words. */
    private record Change(TextSlots.Text text, String words, Sizing sizing) {}

    /** The project with the parameters' words, or the file itself where no parameter is named as one of its slots. */
    public static Path bind(Path file, List<PartParameter> parameters, Path folder, Consumer<String> warnings)
            throws IOException {
        if (parameters.isEmpty()) {
            return file;
        }
        try (Archive archive = Archive.open(file)) {
            if (!archive.has(Plates.NAME)) {
                return file;
            }
            Element settings = Element.root(archive, Plates.NAME, Plates.LARGEST);
            List<Change> changes = changes(new TextSlots(settings), parameters);
            return changes.isEmpty() ? file : new TextBinding(archive, folder, warnings).bound(settings, changes);
        }
    }

    private static List<Change> changes(TextSlots slots, List<PartParameter> parameters) {
        List<Change> changes = new ArrayList<>();
        slots.volumes()
                .forEach((key, texts) -> parameters.stream()
                        .filter(parameter -> parameter.name().equals(key) && parameter.effective() != null)
                        .findFirst()
                        .ifPresent(parameter -> texts.forEach(text -> changes.add(new Change(
                                text,
                                String.valueOf(parameter.effective()),
                                Objects.requireNonNullElse(parameter.sizing(), Sizing.fit))))));
        changes.removeIf(change -> change.words().equals(change.text().text()));
        return changes;
    }

    private Path bound(Element settings, List<Change> changes) throws IOException {
        Model model = Model.of(archive, new Volumes(settings));
        Map<String, Map<String, String>> meshes = new HashMap<>();
        for (Change change : changes) {
            Placed component = component(model, change.text());
            String file = component.path() == null ? model.rootName() : component.path();
            meshes.computeIfAbsent(file, _ -> new HashMap<>())
                    .put(component.objectId(), written(lettered(model, file, component, change)));
        }
        Map<String, Content> changed = new HashMap<>();
        meshes.forEach((file, contents) -> changed.put(file, new ModelRewrite(archive, file, new Meshes(contents))));
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

    private Mesh lettered(Model model, String file, Placed component, Change change) throws IOException {
        if (!(model.file(file).objects().get(component.objectId()) instanceof Meshed old)) {
            throw new BadFileException("The text '" + change.text().text() + "' has no mesh");
        }
        Element info = change.text().info();
        Typeface face = Typeface.of(
                TextSlots.font(info), "1".equals(info.attribute("bold")), "1".equals(info.attribute("italic")));
        if (face.warning() != null) {
            warnings.accept(face.warning());
        }
        return Lettering.mesh(change.words(), change.text().text(), face, old.mesh(), change.sizing());
    }

    private static String written(Mesh mesh) {
        var xml = new StringBuilder("<vertices>");
        for (int point = 0; point < mesh.points(); point++) {
            xml.append("<vertex x=\"").append(mesh.x(point));
            xml.append("\" y=\"").append(mesh.y(point));
            xml.append("\" z=\"").append(mesh.z(point)).append("\"/>\n");
        }
        xml.append("</vertices><triangles>");
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            xml.append("<triangle v1=\"").append(mesh.corner(triangle, 0));
            xml.append("\" v2=\"").append(mesh.corner(triangle, 1));
            xml.append("\" v3=\"").append(mesh.corner(triangle, 2)).append("\"/>\n");
        }
        return xml.append("</triangles>").toString();
    }

    /** A model with other meshes in some of its objects. */
    private record Meshes(Map<String, String> contents) implements ModelRewrite.Change {
        @Override
        public Map<String, String> attributes(String element, Map<String, String> attributes) {
            return attributes;
        }

        @Override
        public @Nullable String content(String element, Map<String, String> attributes) {
            String mesh = element.equals("object") ? contents.get(attributes.get("id")) : null;
            return mesh == null ? null : "<mesh>" + mesh + "</mesh>";
        }
    }

    private static Element reworded(Element settings, List<Change> changes) {
        return settings.mapped(
                object -> object.name().equals("object"),
                object -> object.mapped(
                        part -> part.name().equals("part"),
                        part -> changes.stream()
                                .filter(change -> change.text().objectId().equals(object.attribute("id"))
                                        && change.text().partId().equals(part.attribute("id")))
                                .findFirst()
                                .map(change -> reworded(part, change))
                                .orElse(part)));
    }

    private static Element reworded(Element part, Change change) {
        return part.mapped(child -> child.equals(change.text().info()), info -> {
            Map<String, String> attributes = new LinkedHashMap<>(info.attributes());
            attributes.put("text", change.words());
            return new Element(info.name(), attributes, info.children());
        });
    }
}
