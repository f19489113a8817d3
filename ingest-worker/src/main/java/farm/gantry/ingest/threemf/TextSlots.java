package farm.gantry.ingest.threemf;

import farm.gantry.Sha256;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.part.PartMetadata.Occurrence;
import farm.gantry.part.PartMetadata.TextSlot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The texts of a slicer's text tool in a project; volumes with the same text are one slot. */
record TextSlots(XmlElement settings) {
    private static final int KEY_BYTES = 8;
    private static final Pattern KEY = Pattern.compile("[0-9a-f]{" + 2 * KEY_BYTES + "}");
    private static final double WITH_SURFACE_TYPE = 2.0;
    private static final int MAX_OCCURRENCES = 100_000;

    /** One volume that is a text. */
    record TextVolume(String objectId, String partId, String label, XmlElement info) {
        String text() {
            return Objects.requireNonNullElse(info.attribute("text"), "");
        }
    }

    List<TextSlot> read() throws BadFileException {
        Instances instances = instances();
        List<TextSlot> slots = new ArrayList<>();
        long occurrences = 0;
        for (List<TextVolume> texts : byText().values()) {
            occurrences += instances.count(texts);
            if (occurrences > MAX_OCCURRENCES) {
                throw new BadFileException("its texts are in more than " + MAX_OCCURRENCES + " places");
            }
            slots.add(slot(texts, instances));
        }
        return slots;
    }

    /** Returns the volumes of each slot by its key. */
    Map<String, List<TextVolume>> volumes() {
        Map<String, List<TextVolume>> volumes = new LinkedHashMap<>();
        byText().values().forEach(texts -> volumes.put(key(texts), texts));
        return volumes;
    }

    private Map<String, List<TextVolume>> byText() {
        Map<String, List<TextVolume>> byText = new LinkedHashMap<>();
        settings.all("object")
                .flatMap(TextSlots::texts)
                .filter(text -> !text.text().isEmpty())
                .forEach(text -> byText.computeIfAbsent(text.text(), words -> new ArrayList<>())
                        .add(text));
        return byText;
    }

    private static Stream<TextVolume> texts(XmlElement object) {
        List<XmlElement> volumes = object.all("volume").toList();
        return Stream.concat(
                object.all("part").flatMap(part -> text(object, part, part.attribute("id"))),
                IntStream.range(0, volumes.size()).boxed().flatMap(at -> text(object, volumes.get(at), volumeId(at))));
    }

    /** Prusa's volumes have no ids, and the ranges of their triangles move when a text is changed. */
    static String volumeId(int place) {
        return "volume-" + place;
    }

    /** Bambu's {@code text_info}, or what Orca and Prusa write under a prefix of Prusa's. */
    private static Stream<TextVolume> text(XmlElement object, XmlElement part, @Nullable String partId) {
        String name = Objects.requireNonNullElse(part.metadata("name"), "");
        return Stream.concat(part.all("text_info"), part.all("slic3rpe:text"))
                .limit(1)
                .map(info -> new TextVolume(
                        Objects.requireNonNullElse(object.attribute("id"), ""),
                        Objects.requireNonNullElse(partId, ""),
                        name,
                        info));
    }

    private TextSlot slot(List<TextVolume> texts, Instances instances) {
        TextVolume first = texts.getFirst();
        XmlElement info = first.info();
        String version = info.attribute("font_version");
        return new TextSlot(
                key(texts),
                first.label().isBlank() ? first.text() : first.label(),
                first.text(),
                texts.size(),
                font(info),
                version,
                isAtLeast(version, WITH_SURFACE_TYPE) ? AttributeValues.integer(info.attribute("surface_type")) : null,
                instances.of(texts));
    }

    static @Nullable String font(XmlElement info) {
        return Stream.of("font_name", "face_name", "family")
                .flatMap(key -> Stream.ofNullable(info.attribute(key)))
                .filter(name -> !name.isBlank())
                .findFirst()
                .orElse(null);
    }

    private static boolean isAtLeast(@Nullable String version, double least) {
        Double number = AttributeValues.decimal(version);
        return number != null && number >= least;
    }

    /** Whether a parameter's name can only be a slot's key. */
    static boolean isKey(String name) {
        return KEY.matcher(name).matches();
    }

    /** Returns the slot's key, a hash of its volumes' ids, so that a change of the text does not change it. */
    private static String key(List<TextVolume> texts) {
        String volumes = texts.stream()
                .map(text -> text.objectId() + "/" + text.partId())
                .sorted()
                .collect(Collectors.joining(","));
        return Sha256.of(volumes).substring(0, 2 * KEY_BYTES);
    }

    /** The objects on the plates, in the order of the file; {@code byObject} is object id → places in the list. */
    private record Instances(List<Occurrence> all, Map<String, List<Integer>> byObject) {
        int count(List<TextVolume> texts) {
            return (int) places(texts).count();
        }

        @Nullable
        List<Occurrence> of(List<TextVolume> texts) {
            List<Occurrence> occurrences = places(texts).sorted().map(all::get).toList();
            return occurrences.isEmpty() ? null : occurrences;
        }

        private Stream<Integer> places(List<TextVolume> texts) {
            return texts.stream()
                    .map(TextVolume::objectId)
                    .distinct()
                    .flatMap(objectId -> byObject.getOrDefault(objectId, List.of()).stream());
        }
    }

    private Instances instances() {
        List<Occurrence> all = settings.all("plate").flatMap(TextSlots::onPlate).toList();
        return new Instances(
                all,
                IntStream.range(0, all.size())
                        .boxed()
                        .collect(Collectors.groupingBy(place -> all.get(place).objectId())));
    }

    private static Stream<Occurrence> onPlate(XmlElement plate) {
        Integer plateId = PlateParser.idOf(plate);
        return plateId == null
                ? Stream.empty()
                : plate.all("model_instance").flatMap(instance -> occurrence(plateId, instance));
    }

    private static Stream<Occurrence> occurrence(int plateId, XmlElement instance) {
        String objectId = instance.metadata("object_id");
        Integer instanceId = AttributeValues.integer(instance.metadata("instance_id"));
        return objectId == null || instanceId == null
                ? Stream.empty()
                : Stream.of(new Occurrence(plateId, objectId, instanceId, instance.metadata("identify_id")));
    }
}
