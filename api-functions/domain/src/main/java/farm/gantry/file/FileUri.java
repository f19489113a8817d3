package farm.gantry.file;

import farm.gantry.Id;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The URI of a stored file: {@code area:store/id/name}. The name may contain slashes. To be usable as a path, no segment is empty, consists
 * of dots alone or exceeds 255 bytes; to be usable as an S3 key, length and characters of the whole are limited.
 */
public record FileUri(Area area, String storeId, String id, String name) {

    /** The lifetime of a file: {@code uploads} are deleted after a day, {@code files} when nothing refers to them any more. */
    public enum Area {
        uploads,
        files
    }

    private static final Pattern FORM = Pattern.compile("(uploads|files):([a-z0-9]{24})/([a-z0-9]{24})/(.+)");
    private static final Pattern BAD_NAME = Pattern.compile("(^|/)(\\.*|\\.\\..*)(/|$)|[\\\\\\p{Cntrl}\\uFFFE\\uFFFF]");

    /** Maximum length of a segment in bytes, as file systems allow. */
    private static final int MAX_SEGMENT = 255;

    /** Maximum length of a name in bytes: an S3 key has at most 1,024, including area, store and id. */
    private static final int MAX_NAME = 900;

    public FileUri {
        if (!isName(name)) {
            throw new IllegalArgumentException("not a file name: " + name);
        }
    }

    public static FileUri upload(String storeId, String name) {
        return new FileUri(Area.uploads, storeId, Id.next(), name);
    }

    /** Returns the URI of a file of that name that belongs to the record or run with this id. */
    public static FileUri file(String storeId, String id, String name) {
        return new FileUri(Area.files, storeId, id, name);
    }

    public static Optional<FileUri> parse(String text) {
        var form = FORM.matcher(text);
        return form.matches() && isName(form.group(4))
                ? Optional.of(new FileUri(Area.valueOf(form.group(1)), form.group(2), form.group(3), form.group(4)))
                : Optional.empty();
    }

    public static boolean isName(String name) {
        return !name.isBlank()
                && bytes(name) <= MAX_NAME
                && Arrays.stream(name.split("/")).allMatch(segment -> bytes(segment) <= MAX_SEGMENT)
                && !BAD_NAME.matcher(name).find();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the last segment of the name. */
    public String fileName() {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** Returns the path below a folder or bucket: {@code area/store/id/name}. */
    public String path() {
        return area + "/" + storeId + "/" + id + "/" + name;
    }

    @Override
    public String toString() {
        return area + ":" + storeId + "/" + id + "/" + name;
    }
}
