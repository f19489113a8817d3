package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite.EntryContent;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.ingest.threemf.model.ModelFile.ComponentObject;
import farm.gantry.ingest.threemf.model.ModelFile.MeshObject;
import farm.gantry.ingest.threemf.model.ModelFile.ModelObject;
import farm.gantry.ingest.threemf.model.ModelFile.ObjectPlacement;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Splits a project that is not sliced into projects of one plate each, in which the plate has number 1. A plate without
 * printable objects has none.
 */
record UnslicedProjectSplit(ThreemfArchive archive, Path folder) {
    private static final String OBJECTS = "3D/Objects/";

    /** An object of a model file. */
    private record ObjectKey(String file, String objectId) {}

    /** An instance of an object; its number counts from 0. */
    private record Instance(String objectId, int number) {

        static Instance ofPlate(XmlElement instance) {
            return of(instance.metadata("object_id"), instance.metadata("instance_id"));
        }

        static Instance ofAssembly(XmlElement item) {
            return of(item.attribute("object_id"), item.attribute("instance_id"));
        }

        private static Instance of(@Nullable String objectId, @Nullable String number) {
            return new Instance(
                    Objects.requireNonNullElse(objectId, ""),
                    Objects.requireNonNullElse(AttributeValues.integer(number), 0));
        }
    }

    /** Returns one project per plate; empty for a project of one plate, which need not be split. */
    SortedMap<Integer, Path> splitPlates() throws IOException {
        SortedMap<Integer, Path> pieces = new TreeMap<>();
        if (!archive.has(ThreemfArchive.BAMBU_SETTINGS)) {
            return pieces;
        }
        XmlElement settings = XmlElement.root(archive, ThreemfArchive.BAMBU_SETTINGS, PlateParser.MAX_SIZE);
        var scenes = new PlateScenes(settings, ProjectSettings.read(archive));
        ThreemfModel model = ThreemfModel.open(archive, new VolumeSettings(settings));
        List<ObjectPlacement> items = model.root().build();
        var places =
                scenes.itemIndices(items.stream().map(ObjectPlacement::objectId).toList());
        if (places.size() < 2) {
            return pieces;
        }
        for (var place : places.entrySet()) {
            int plate = place.getKey();
            if (place.getValue().stream().noneMatch(at -> items.get(at).printable())) {
                continue;
            }
            Transform move = scenes.toOrigin(plate, places.lastKey());
            pieces.put(plate, writePlate(plate, place.getValue(), move, model, settings));
        }
        return pieces;
    }

    private Path writePlate(int plate, List<Integer> built, Transform move, ThreemfModel model, XmlElement settings)
            throws IOException {
        Set<ObjectKey> reached = collectObjects(model, built);
        Set<String> objects = new HashSet<>();
        Set<String> files = new HashSet<>();
        for (ObjectKey held : reached) {
            files.add(held.file());
            if (held.file().equals(model.rootName())) {
                objects.add(held.objectId());
            }
        }
        Map<String, EntryContent> changed = new HashMap<>();
        changed.put(
                model.rootName(),
                new ModelRewrite(
                        archive,
                        model.rootName(),
                        new PlateContent(Set.copyOf(built), objects, move, new AtomicInteger())));
        var instances = instances(model.root().build(), built);
        changed.put(
                ThreemfArchive.BAMBU_SETTINGS,
                EntryContent.of(settings(settings, plate, objects, instances).toXml()));
        changed.put(
                SliceInfo.NAME,
                EntryContent.of(slices(SliceInfo.read(archive).root(), plate).toXml()));
        Predicate<String> isInPiece = name ->
                SlicedProjectSplit.belongsTo(plate, name) && (!name.startsWith(OBJECTS) || files.contains(name));
        new PlateRelationships(archive, plate, isInPiece).rewrite(changed);
        new ObjectTables(archive, ordinals(model, objects)).renumber(changed);
        new PlateTables(archive, plate).renumber(changed);
        changed.keySet().removeIf(name -> !archive.has(name));
        return new ArchiveRewrite(archive).write(folder.resolve("plate_" + plate + ".3mf"), isInPiece, changed);
    }

    private static Set<ObjectKey> collectObjects(ThreemfModel model, List<Integer> built) throws IOException {
        Deque<ObjectKey> open = new ArrayDeque<>();
        for (int at : built) {
            ObjectPlacement item = model.root().build().get(at);
            open.add(new ObjectKey(Objects.requireNonNullElse(item.path(), model.rootName()), item.objectId()));
        }
        Set<ObjectKey> reached = new HashSet<>();
        while (!open.isEmpty()) {
            ObjectKey held = open.remove();
            ModelObject shape = model.file(held.file()).objects().get(held.objectId());
            if (!reached.add(held) || shape == null) {
                continue;
            }
            switch (shape) {
                case MeshObject _ -> {}
                case ComponentObject composed ->
                    composed.components()
                            .forEach(part -> open.add(new ObjectKey(
                                    Objects.requireNonNullElse(part.path(), held.file()), part.objectId())));
            }
        }
        return reached;
    }

    /** Returns the positions in the file of the objects on the plate, counted from 1 as the project's tables do. */
    private static Map<Integer, Integer> ordinals(ThreemfModel model, Set<String> objects) throws IOException {
        Map<Integer, Integer> ordinals = new LinkedHashMap<>();
        List<String> all = List.copyOf(new LinkedHashSet<>(
                model.root().build().stream().map(ObjectPlacement::objectId).toList()));
        for (int at = 0; at < all.size(); at++) {
            if (objects.contains(all.get(at))) {
                ordinals.put(at + 1, ordinals.size() + 1);
            }
        }
        return ordinals;
    }

    /**
     * Returns the old and new instance numbers of the objects on the plate: the n-th build item of an object is its
     * n-th instance.
     */
    private static Map<Instance, Integer> instances(List<ObjectPlacement> items, List<Integer> built) {
        Map<String, Integer> before = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        Map<Instance, Integer> instances = new HashMap<>();
        for (int at = 0; at < items.size(); at++) {
            String objectId = items.get(at).objectId();
            int was = before.merge(objectId, 1, Integer::sum) - 1;
            if (built.contains(at)) {
                instances.put(new Instance(objectId, was), counts.merge(objectId, 1, Integer::sum) - 1);
            }
        }
        return instances;
    }

    private static XmlElement settings(
            XmlElement settings, int plate, Set<String> objects, Map<Instance, Integer> instances) {
        return settings.with(child -> switch (child.name()) {
                    case "object" -> objects.contains(child.attribute("id"));
                    case "plate" -> Objects.equals(PlateParser.idOf(child), plate);
                    default -> true;
                })
                .mapChildren(
                        child -> child.name().equals("plate"),
                        child -> child.withMetadata("plater_id", "1")
                                .with(each -> !isInstance(each) || instances.containsKey(Instance.ofPlate(each)))
                                .mapChildren(
                                        UnslicedProjectSplit::isInstance,
                                        each -> each.withMetadata(
                                                "instance_id", String.valueOf(instances.get(Instance.ofPlate(each))))))
                .mapChildren(
                        child -> child.name().equals("assemble"),
                        child -> child.with(each -> instances.containsKey(Instance.ofAssembly(each)))
                                .mapChildren(
                                        _ -> true,
                                        each -> each.withAttributes(Map.of(
                                                "instance_id",
                                                String.valueOf(instances.get(Instance.ofAssembly(each)))))));
    }

    private static boolean isInstance(XmlElement element) {
        return element.name().equals("model_instance");
    }

    private static XmlElement slices(XmlElement root, int plate) {
        return root.with(child -> !child.name().equals("plate") || SliceInfo.isPlate(child, plate))
                .mapChildren(child -> child.name().equals("plate"), child -> child.withMetadata("index", "1"));
    }

    /** The root model with the plate's items and the objects that they consist of. */
    private record PlateContent(Set<Integer> built, Set<String> objects, Transform move, AtomicInteger seen)
            implements ModelRewrite.ElementChange {
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
