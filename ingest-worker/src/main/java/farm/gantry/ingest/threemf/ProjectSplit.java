package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.threemf.ArchiveRewrite.EntryContent;
import farm.gantry.ingest.threemf.ModelFile.Composed;
import farm.gantry.ingest.threemf.ModelFile.Meshed;
import farm.gantry.ingest.threemf.ModelFile.Placed;
import farm.gantry.ingest.threemf.ModelFile.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes a project that is not sliced apart into projects of one plate each, which is plate 1 of its own. */
record ProjectSplit(ThreemfArchive archive, Path folder) {
    private static final String MODEL_RELATIONSHIPS = "3D/_rels/3dmodel.model.rels";
    private static final int LARGEST_RELATIONSHIPS = 1 << 20;
    private static final String OBJECTS = "3D/Objects/";

    /** An object, by the model that holds it. */
    private record Held(String file, String objectId) {}

    /** A project of one plate need not be taken apart. */
    SortedMap<Integer, Path> pieces() throws IOException {
        SortedMap<Integer, Path> pieces = new TreeMap<>();
        if (!archive.has(Plates.NAME)) {
            return pieces;
        }
        XmlElement settings = XmlElement.root(archive, Plates.NAME, Plates.LARGEST);
        var scenes = new PlateScenes(settings, ProjectSettings.of(archive));
        Model model = Model.of(archive, new VolumeSettings(settings));
        var places = scenes.places(
                model.root().build().stream().map(Placed::objectId).toList());
        if (places.size() < 2) {
            return pieces;
        }
        for (var place : places.entrySet()) {
            int plate = place.getKey();
            Transform move = scenes.toOrigin(plate, places.lastKey());
            pieces.put(plate, piece(plate, place.getValue(), move, model, settings));
        }
        return pieces;
    }

    private Path piece(int plate, List<Integer> built, Transform move, Model model, XmlElement settings)
            throws IOException {
        Set<Held> reached = reached(model, built);
        Set<String> objects = new HashSet<>();
        Set<String> files = new HashSet<>();
        for (Held held : reached) {
            files.add(held.file());
            if (held.file().equals(model.rootName())) {
                objects.add(held.objectId());
            }
        }
        Map<String, EntryContent> changed = new HashMap<>();
        changed.put(
                model.rootName(),
                new ModelRewrite(
                        archive, model.rootName(), new Kept(Set.copyOf(built), objects, move, new AtomicInteger())));
        changed.put(
                Plates.NAME, EntryContent.of(settings(settings, plate, objects).toXml()));
        XmlElement slices = SliceInfo.of(archive).root();
        changed.put(
                SliceInfo.NAME,
                EntryContent.of(renumbered(slices, plate, "index").toXml()));
        XmlElement relationships = XmlElement.root(archive, MODEL_RELATIONSHIPS, LARGEST_RELATIONSHIPS)
                .with(child -> files.contains(target(child)));
        changed.put(MODEL_RELATIONSHIPS, EntryContent.of(relationships.toXml()));
        new ObjectTables(archive, ordinals(model, objects)).renumber(changed);
        changed.keySet().removeIf(name -> !archive.has(name));
        return new ArchiveRewrite(archive)
                .write(
                        folder.resolve("plate_" + plate + ".3mf"),
                        name -> PlateSplit.belongsTo(plate, name)
                                && (!name.startsWith(OBJECTS) || files.contains(name)),
                        changed);
    }

    private static Set<Held> reached(Model model, List<Integer> built) throws IOException {
        Deque<Held> open = new ArrayDeque<>();
        for (int at : built) {
            Placed item = model.root().build().get(at);
            open.add(new Held(Objects.requireNonNullElse(item.path(), model.rootName()), item.objectId()));
        }
        Set<Held> reached = new HashSet<>();
        while (!open.isEmpty()) {
            Held held = open.remove();
            Shape shape = model.file(held.file()).objects().get(held.objectId());
            if (!reached.add(held) || shape == null) {
                continue;
            }
            switch (shape) {
                case Meshed _ -> {}
                case Composed composed ->
                    composed.components()
                            .forEach(part -> open.add(
                                    new Held(Objects.requireNonNullElse(part.path(), held.file()), part.objectId())));
            }
        }
        return reached;
    }

    /** Where in the file each kept object stood, counting from 1 as the project's tables do. */
    private static Map<Integer, Integer> ordinals(Model model, Set<String> objects) throws IOException {
        Map<Integer, Integer> ordinals = new LinkedHashMap<>();
        List<String> all = List.copyOf(new LinkedHashSet<>(
                model.root().build().stream().map(Placed::objectId).toList()));
        for (int at = 0; at < all.size(); at++) {
            if (objects.contains(all.get(at))) {
                ordinals.put(at + 1, ordinals.size() + 1);
            }
        }
        return ordinals;
    }

    private static String target(XmlElement relationship) {
        return Objects.requireNonNullElse(relationship.attribute("Target"), "").replaceFirst("^/", "");
    }

    private static XmlElement settings(XmlElement settings, int plate, Set<String> objects) {
        XmlElement kept = settings.with(child -> switch (child.name()) {
            case "object" -> objects.contains(child.attribute("id"));
            case "plate" -> Objects.equals(Plates.idOf(child), plate);
            default -> true;
        });
        return new XmlElement(
                kept.name(),
                kept.attributes(),
                kept.children().stream()
                        .map(child -> switch (child.name()) {
                            case "plate" -> first(child, "plater_id");
                            case "assemble" -> child.with(item -> objects.contains(item.attribute("object_id")));
                            default -> child;
                        })
                        .toList());
    }

    private static XmlElement renumbered(XmlElement root, int plate, String key) {
        XmlElement kept = root.with(child -> !child.name().equals("plate") || SliceInfo.isPlate(child, plate));
        return new XmlElement(
                kept.name(),
                kept.attributes(),
                kept.children().stream()
                        .map(child -> child.name().equals("plate") ? first(child, key) : child)
                        .toList());
    }

    /** The same plate under the number 1. */
    private static XmlElement first(XmlElement plate, String key) {
        return new XmlElement(
                plate.name(),
                plate.attributes(),
                plate.children().stream()
                        .map(child -> key.equals(child.attribute("key"))
                                ? new XmlElement(child.name(), Map.of("key", key, "value", "1"), List.of())
                                : child)
                        .toList());
    }

    /** The root model with the plate's items and what they are made of. */
    private record Kept(Set<Integer> built, Set<String> objects, Transform move, AtomicInteger seen)
            implements ModelRewrite.Change {
        @Override
        public @Nullable Map<String, String> attributes(String element, Map<String, String> attributes) {
            return switch (element) {
                case "object" -> objects.contains(attributes.get("id")) ? attributes : null;
                case "item" -> built.contains(seen.getAndIncrement()) ? moved(attributes) : null;
                default -> attributes;
            };
        }

        private Map<String, String> moved(Map<String, String> attributes) {
            Map<String, String> moved = new LinkedHashMap<>(attributes);
            Transform place = Stream.ofNullable(attributes.get("transform"))
                    .flatMap(text -> Stream.ofNullable(Transform.parse(text)))
                    .findFirst()
                    .orElse(Transform.NONE);
            moved.put("transform", place.then(move).toString());
            return moved;
        }
    }
}
