package farm.gantry.ingest.threemf;

import farm.gantry.RecordBuilder;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.part.PartMetadata.Sliced;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results of the slicer's last run: only plates whose slice is still valid, in any order. */
record SliceInfo(XmlElement root) {
    static final String NAME = "Metadata/slice_info.config";

    private static final int MAX_SIZE = 16 << 20;

    static SliceInfo read(ThreemfArchive archive) throws IOException {
        return new SliceInfo(XmlElement.root(archive, NAME, MAX_SIZE));
    }

    String header(String key) {
        return root.all("header")
                .map(header -> header.value("header_item", key))
                .flatMap(Stream::ofNullable)
                .findFirst()
                .orElse("");
    }

    /** Returns the plate with this number, whatever its position. */
    @Nullable
    XmlElement plate(int id) {
        return root.all("plate").filter(plate -> isPlate(plate, id)).findFirst().orElse(null);
    }

    static boolean isPlate(XmlElement plate, int id) {
        Integer index = AttributeValues.integer(plate.metadata("index"));
        return index != null && index == id;
    }

    @Nullable
    Sliced sliced(int id) {
        XmlElement plate = plate(id);
        return plate == null
                ? null
                : RecordBuilder.of(Sliced.class)
                        .with(Sliced::extruderType, plate.metadata("extruder_type"))
                        .with(Sliced::filamentMaps, plate.metadata("filament_maps"))
                        .with(Sliced::index, id)
                        .with(Sliced::labelObjectEnabled, AttributeValues.flag(plate.metadata("label_object_enabled")))
                        .with(Sliced::nozzleDiameters, plate.metadata("nozzle_diameters"))
                        .with(Sliced::nozzleVolumeType, plate.metadata("nozzle_volume_type"))
                        .with(Sliced::outside, AttributeValues.flag(plate.metadata("outside")))
                        .with(Sliced::prediction, AttributeValues.decimal(plate.metadata("prediction")))
                        .with(Sliced::printerModelId, plate.metadata("printer_model_id"))
                        .with(Sliced::supportUsed, AttributeValues.flag(plate.metadata("support_used")))
                        .with(Sliced::timelapseType, plate.metadata("timelapse_type"))
                        .with(Sliced::weight, AttributeValues.decimal(plate.metadata("weight")))
                        .with(Sliced::filaments, rows(plate.all("filament")))
                        .with(
                                Sliced::layerFilamentLists,
                                rows(plate.all("layer_filament_lists")
                                        .flatMap(lists -> lists.all("layer_filament_list"))))
                        .with(Sliced::objects, rows(plate.all("object")))
                        .with(Sliced::warnings, rows(plate.all("warning")))
                        .build();
    }

    private static List<Map<String, Object>> rows(Stream<XmlElement> elements) {
        return elements.<Map<String, Object>>map(element -> Map.copyOf(element.attributes()))
                .toList();
    }
}
