package farm.gantry.ingest;

import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Picture.Use;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartMetadata.Plate.Pictures;
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
        return metadata.with(
                drawnFrom,
                plate -> plate.withUris(new Pictures(
                        uri(plate, Use.pick, pictures, uri),
                        uri(plate, Use.top, pictures, uri),
                        uri(plate, Use.thumbnail, pictures, uri),
                        uri(plate, Use.rendered, pictures, uri))));
    }

    private static @Nullable String uri(Plate plate, Use use, List<Picture> pictures, Function<Picture, String> uri) {
        return pictures.stream()
                .filter(picture -> picture.plateId() == plate.id() && picture.use() == use)
                .findFirst()
                .map(uri)
                .orElse(null);
    }
}
