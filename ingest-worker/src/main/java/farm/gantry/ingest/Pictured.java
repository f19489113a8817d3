package farm.gantry.ingest;

import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Picture.Use;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Plate;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where kept pictures are named: on their plates, and the best of them on the part. */
final class Pictured {
    private Pictured() {}

    /** The first plate's thumbnail, or whatever else shows something. */
    static Picture cover(List<Picture> pictures) {
        return pictures.stream()
                .min(Comparator.comparing(Picture::use).thenComparingInt(Picture::plateId))
                .orElseThrow();
    }

    /** {@code drawnFrom} is the hash of the file that the plates were drawn from, if they were. */
    static PartMetadata metadata(
            PartMetadata metadata, List<Picture> pictures, Function<Picture, String> uri, @Nullable String drawnFrom) {
        List<Plate> plates = metadata.plates();
        return new PartMetadata(
                metadata.filamentColors(),
                metadata.filamentType(),
                metadata.filamentDensities(),
                metadata.filamentDiameters(),
                metadata.filamentIds(),
                metadata.nozzleDiameter(),
                metadata.printerModel(),
                metadata.profileCompat(),
                metadata.slicerVersion(),
                drawnFrom,
                plates == null
                        ? null
                        : plates.stream()
                                .map(plate -> plate(plate, pictures, uri))
                                .toList(),
                metadata.textSlots());
    }

    private static Plate plate(Plate plate, List<Picture> pictures, Function<Picture, String> uri) {
        return new Plate(
                plate.id(),
                plate.name(),
                plate.locked(),
                plate.filamentIds(),
                plate.filamentMapMode(),
                plate.filamentMaps(),
                plate.gcodeFile(),
                plate.patternBboxFile(),
                plate.pickData(),
                plate.pickFile(),
                uri(plate, Use.pick, pictures, uri),
                plate.topData(),
                plate.topFile(),
                uri(plate, Use.top, pictures, uri),
                plate.thumbnailData(),
                plate.thumbnailFile(),
                plate.thumbnailNoLightFile(),
                uri(plate, Use.rendered, pictures, uri),
                uri(plate, Use.thumbnail, pictures, uri),
                plate.sliced());
    }

    private static @Nullable String uri(Plate plate, Use use, List<Picture> pictures, Function<Picture, String> uri) {
        return pictures.stream()
                .filter(picture -> picture.plateId() == plate.id() && picture.use() == use)
                .findFirst()
                .map(uri)
                .orElse(null);
    }
}
