package farm.gantry.ingest;

import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Picture.Use;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Plate;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where kept pictures are named: on their plates, and the best of them on the part. */
final class Pictured {
    private Pictured() {}

    /** The first plate's thumbnail, or whatever else shows something. */
    static Path cover(List<Picture> pictures) {
        return pictures.stream()
                .min(Comparator.comparing(Picture::use).thenComparingInt(Picture::plateId))
                .map(Picture::file)
                .orElseThrow();
    }

    static PartMetadata metadata(PartMetadata metadata, List<Picture> pictures, Function<Path, String> uri) {
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
                metadata.plateRenderSourceHash(),
                plates == null
                        ? null
                        : plates.stream()
                                .map(plate -> plate(plate, pictures, uri))
                                .toList(),
                metadata.textSlots());
    }

    private static Plate plate(Plate plate, List<Picture> pictures, Function<Path, String> uri) {
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
                plate.thumbnailRenderedUri(),
                uri(plate, Use.thumbnail, pictures, uri),
                plate.sliced());
    }

    private static @Nullable String uri(Plate plate, Use use, List<Picture> pictures, Function<Path, String> uri) {
        return pictures.stream()
                .filter(picture -> picture.plateId() == plate.id() && picture.use() == use)
                .findFirst()
                .map(picture -> uri.apply(picture.file()))
                .orElse(null);
    }
}
