package farm.gantry.file;

import farm.gantry.Id;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address of a kept file, {@code area:store/id/name}. The name may hold slashes; no segment is empty, made of dots
 * alone or longer than 255 bytes, so that an address can be a path below a folder; and the whole is short enough, and of
 * characters, for a key of S3.
 */
public record FileUri(Area area, String storeId, String id, String name) {

    /** Staged uploads live a day; {@code files} as long as what needs them. */
    public enum Area {
        uploads,
        files
    }

    private static final Pattern FORM = Pattern.compile("(uploads|files):([a-z0-9]{24})/([a-z0-9]{24})/(.+)");
    private static final Pattern BAD_NAME = Pattern.compile("(^|/)(\\.*|\\.\\..*)(/|$)|[\\\\\\p{Cntrl}\\uFFFE\\uFFFF]");

    /** In bytes: file systems keep no longer ones. */
    private static final int MAX_SEGMENT = 255;

    /** In bytes: a key of S3 has at most 1,024, with area, store and id. */
    private static final int MAX_NAME = 900;

    public FileUri {
        if (!isName(name)) {
            throw new IllegalArgumentException("not a file name: " + name);
        }
    }

    public static FileUri upload(String storeId, String name) {
        return new FileUri(Area.uploads, storeId, Id.next(), name);
    }

    /** The file of that name that belongs to the given record or run. */
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

    /** The last segment of the name. */
    public String fileName() {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** Below a folder or a bucket: {@code area/store/id/name}. */
    public String path() {
        return area + "/" + storeId + "/" + id + "/" + name;
    }

    @Override
    public String toString() {
        return area + ":" + storeId + "/" + id + "/" + name;
    }
}
