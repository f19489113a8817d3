package farm.gantry.ingest.threemf;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import farm.gantry.RecordBuilder;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartMetadata.Sliced;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plates of a project, by their numbers, which count from 1 and need not stand in order. */
record PlateParser(ThreemfArchive archive, XmlElement settings, SliceInfo slices, List<String> projectFilamentIds) {
    static final int MAX_SIZE = 32 << 20;

    private static final int MAX_VALUE = 255;
    private static final int MAX_INSTANCES = 50_000;
    private static final int MAX_JSON = 4 << 20;
    private static final JsonFactory JSON = new JsonFactory();

    /** Reads the plates. If two have the same number, the second is ignored. */
    List<Plate> read() throws IOException {
        if (settings.all("plate")
                        .flatMap(PlateParser::instances)
                        .limit(MAX_INSTANCES + 1L)
                        .count()
                > MAX_INSTANCES) {
            throw new BadFileException(
                    "The project puts more than " + MAX_INSTANCES + " objects on its plates, which no printer prints");
        }
        Map<Integer, XmlElement> byId = new TreeMap<>();
        settings.all("plate").forEach(plate -> {
            Integer id = idOf(plate);
            if (id != null) {
                byId.putIfAbsent(id, plate);
            }
        });
        List<Plate> plates = new ArrayList<>();
        for (var plate : byId.entrySet()) {
            plates.add(plate(plate.getKey(), plate.getValue()));
        }
        return plates;
    }

    static @Nullable Integer idOf(XmlElement plate) {
        Integer id = AttributeValues.integer(plate.metadata("plater_id"));
        return id == null || id < 1 || id > MAX_VALUE ? null : id;
    }

    private Plate plate(int id, XmlElement plate) throws IOException {
        Sliced sliced = slices.sliced(id);
        return RecordBuilder.of(Plate.class)
                .with(Plate::id, id)
                .with(Plate::name, name(plate))
                .with(Plate::locked, AttributeValues.flag(plate.metadata("locked")))
                .with(Plate::filamentIds, filamentIds(id, plate, sliced))
                .with(Plate::filamentMapMode, plate.metadata("filament_map_mode"))
                .with(Plate::filamentMaps, AttributeValues.integers(plate.metadata("filament_maps")))
                .with(Plate::gcodeFile, file(plate, "gcode_file"))
                .with(Plate::patternBboxFile, file(plate, "pattern_bbox_file"))
                .with(Plate::pickFile, file(plate, "pick_file"))
                .with(Plate::topFile, file(plate, "top_file"))
                .with(Plate::thumbnailFile, file(plate, "thumbnail_file"))
                .with(Plate::thumbnailNoLightFile, file(plate, "thumbnail_no_light_file"))
                .with(Plate::sliced, sliced)
                .build();
    }

    /** Slicers escape names once more than XML asks for. */
    private static @Nullable String name(XmlElement plate) {
        String name = plate.metadata("plater_name");
        return name == null
                ? null
                : name.replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&apos;", "'")
                        .replace("&amp;", "&");
    }

    private static @Nullable String file(XmlElement plate, String key) {
        String name = plate.metadata(key);
        return name == null || !FileUri.isName(name) ? null : name;
    }

    /** As sliced; else as the plate's own file counts from 0; else as its objects count from 1. */
    private @Nullable List<String> filamentIds(int id, XmlElement plate, @Nullable Sliced sliced) throws IOException {
        if (sliced != null && sliced.filaments() != null) {
            List<String> ids = sliced.filaments().stream()
                    .map(filament -> filament.get("tray_info_idx"))
                    .filter(Objects::nonNull)
                    .map(Object::toString)
                    .toList();
            if (!ids.isEmpty()) {
                return ids;
            }
        }
        TreeSet<Integer> tools = planned("Metadata/plate_" + id + ".json");
        if (tools.isEmpty()) {
            extruders(plate).filter(extruder -> extruder > 0).forEach(extruder -> tools.add(extruder - 1));
        }
        List<String> ids = tools.stream()
                .filter(tool -> tool < projectFilamentIds.size())
                .map(projectFilamentIds::get)
                .toList();
        return ids.isEmpty() ? null : ids;
    }

    private TreeSet<Integer> planned(String name) throws IOException {
        TreeSet<Integer> tools = new TreeSet<>();
        if (!archive.has(name)) {
            return tools;
        }
        try (JsonParser parser = JSON.createParser(archive.read(name, MAX_JSON))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals("filament_ids")) {
                    parser.nextToken();
                    while (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                        tools.add(Math.clamp(parser.getLongValue(), 0, MAX_VALUE));
                    }
                    break;
                }
            }
        } catch (JsonProcessingException garbage) {
            return new TreeSet<>();
        }
        return tools;
    }

    private static Stream<XmlElement> instances(XmlElement plate) {
        return plate.all("model_instance");
    }

    private Stream<Integer> extruders(XmlElement plate) {
        Set<String> ids = instances(plate)
                .flatMap(instance -> Stream.ofNullable(instance.metadata("object_id")))
                .collect(Collectors.toSet());
        return settings.all("object")
                .filter(object -> ids.contains(Objects.requireNonNullElse(object.attribute("id"), "")))
                .flatMap(PlateParser::extrudersOf);
    }

    /** A part that names none is printed with its object's. */
    private static Stream<Integer> extrudersOf(XmlElement object) {
        Integer own = AttributeValues.integer(object.metadata("extruder"));
        int usual = own == null || own == 0 ? 1 : own;
        List<Integer> parts = object.all("part")
                .map(part -> {
                    Integer extruder = AttributeValues.integer(part.metadata("extruder"));
                    return extruder == null || extruder == 0 ? usual : extruder;
                })
                .toList();
        return parts.isEmpty() ? Stream.of(usual) : parts.stream();
    }
}
