package farm.gantry.api.http;

import farm.gantry.Sha256;
import farm.gantry.api.json.RawJson;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** The {@code ETag} of a response: a hash of its bytes. */
public record EntityTag(String value) {
    private static final String WEAK = "W/";
    private static final Pattern TAG = Pattern.compile("(W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"");
    private static final int HASH_BYTES = 16;

    public static EntityTag of(RawJson<?> json) {
        return of(json.bytes(), json.length());
    }

    /** Returns the tag of the first {@code length} bytes. */
    public static EntityTag of(byte[] bytes, int length) {
        MessageDigest hash = Sha256.digest();
        hash.update(bytes, 0, length);
        byte[] start = Arrays.copyOf(hash.digest(), HASH_BYTES);
        return new EntityTag('"' + Base64.getUrlEncoder().withoutPadding().encodeToString(start) + '"');
    }

    /** Whether {@code If-Match} names this tag; weak tags never match, because they do not promise identical bytes. */
    boolean isMatchedBy(List<String> header) {
        return parseTags(header).contains(value);
    }

    /** Whether {@code If-None-Match} names this tag, weak or strong. */
    public boolean isNoneMatchedBy(List<String> header) {
        return parseTags(header).stream()
                .anyMatch(tag -> tag.equals(value)
                        || (tag.startsWith(WEAK) && tag.substring(2).equals(value)));
    }

    /** Returns the named tags; {@code *} matches every tag. */
    private List<String> parseTags(List<String> header) {
        String list = String.join(",", header).strip();
        return list.equals("*")
                ? List.of(value)
                : TAG.matcher(list).results().map(match -> match.group()).toList();
    }
}
