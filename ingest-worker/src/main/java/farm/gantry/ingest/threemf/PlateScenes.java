package farm.gantry.ingest.threemf;

import farm.gantry.ingest.gcode.SlicerSettings;
import farm.gantry.ingest.mesh.BuildItem;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.ingest.threemf.model.ModelFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scenes of each plate. Slicers lay the plates out next to each other in one space, a fifth of a bed apart and in
 * as many columns as rows; an item's position on its plate follows from there.
 */
final class PlateScenes {
    private static final double STRIDE = 1.2;

    private final XmlElement settings;
    private final SlicerSettings project;

    PlateScenes(XmlElement settings, SlicerSettings project) {
        this.settings = settings;
        this.project = project;
    }

    /** Numbers into the model's build, by plate; empty where the file knows no plates. */
    SortedMap<Integer, List<Integer>> itemIndices(List<String> builtObjects) {
        Map<String, List<Integer>> builtAt = new HashMap<>();
        for (int at = 0; at < builtObjects.size(); at++) {
            builtAt.computeIfAbsent(builtObjects.get(at), id -> new ArrayList<>())
                    .add(at);
        }
        SortedMap<Integer, List<Integer>> places = new TreeMap<>();
        for (XmlElement plate : settings.all("plate").toList()) {
            Integer id = PlateParser.idOf(plate);
            if (id != null && !places.containsKey(id)) {
                places.put(
                        id,
                        plate.all("model_instance")
                                .flatMap(instance -> Stream.ofNullable(place(instance, builtAt)))
                                .distinct()
                                .toList());
            }
        }
        if (places.size() == 1 && places.firstEntry().getValue().isEmpty()) {
            List<Integer> all = new ArrayList<>();
            for (int at = 0; at < builtObjects.size(); at++) {
                all.add(at);
            }
            places.put(places.firstKey(), all);
        }
        return places;
    }

    /** The n-th time that an object is built is its n-th instance. */
    private static @Nullable Integer place(XmlElement instance, Map<String, List<Integer>> builtAt) {
        List<Integer> built =
                builtAt.getOrDefault(Objects.requireNonNullElse(instance.metadata("object_id"), ""), List.of());
        int wanted = Objects.requireNonNullElse(AttributeValues.integer(instance.metadata("instance_id")), 0);
        return wanted >= 0 && wanted < built.size() ? built.get(wanted) : null;
    }

    SortedMap<Integer, Scene> of(ThreemfModel model) throws IOException {
        List<@Nullable BuildItem> items = model.items();
        var places = itemIndices(model.root().build().stream()
                .map(ModelFile.ObjectPlacement::objectId)
                .toList());
        SortedMap<Integer, Scene> scenes = new TreeMap<>();
        if (places.isEmpty()) {
            scenes.put(0, new Scene(items.stream().flatMap(Stream::ofNullable).toList()));
        }
        int plates = places.isEmpty() ? 1 : places.lastKey();
        places.forEach((plate, built) -> scenes.put(
                plate,
                new Scene(built.stream()
                                .map(items::get)
                                .flatMap(Stream::ofNullable)
                                .toList())
                        .moved(toOrigin(plate, plates))));
        return scenes;
    }

    /** From the place among all plates to the place on its own. */
    Transform toOrigin(int plate, int plates) {
        int columns = (int) Math.ceil(Math.sqrt(plates));
        int index = plate - 1;
        int row = index / columns;
        double[] bed = bed();
        return Transform.translation(-(index % columns) * STRIDE * bed[0], row * STRIDE * bed[1], 0);
    }

    /** Width and depth of the printable area, whose corners are given as {@code 256x0}. */
    private double[] bed() {
        double[][] corners = project.values("printable_area", ',').stream()
                .map(corner -> corner.split("x", 2))
                .filter(corner -> corner.length == 2)
                .map(corner -> Stream.of(corner)
                        .map(PlateScenes::number)
                        .mapToDouble(Double::doubleValue)
                        .toArray())
                .toArray(double[][]::new);
        return new double[] {extent(corners, 0), extent(corners, 1)};
    }

    private static double extent(double[][] corners, int axis) {
        var numbers = Arrays.stream(corners).mapToDouble(corner -> corner[axis]).summaryStatistics();
        return numbers.getCount() == 0 ? 0 : numbers.getMax() - numbers.getMin();
    }

    private static Double number(String text) {
        try {
            double number = Double.parseDouble(text.strip());
            return Math.abs(number) < 1e6 ? number : 0;
        } catch (NumberFormatException garbage) {
            return 0.0;
        }
    }
}
