package farm.gantry.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileUriTest {
    private static final String STORE = Id.next();

    @Test
    void uriIsParsedAsFormatted() {
        FileUri uri = FileUri.upload(STORE, "folder/Würfel 1.3mf");
        assertThat(FileUri.parse(uri.toString())).contains(uri);
        assertThat(uri.toString()).startsWith("uploads:" + STORE + "/");
        assertThat(uri.path()).startsWith("uploads/" + STORE + "/");
        assertThat(uri.fileName()).isEqualTo("Würfel 1.3mf");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "../x",
                "a/../b",
                "a//b",
                "/a",
                "a/",
                "./a",
                "a\\b",
                "a\nb",
                " ",
                "a/..",
                "..a/b",
                "a\uFFFEb",
                "\uFFFF"
            })
    void nameThatLeavesItsFolderIsRejected(String name) {
        assertThat(FileUri.isName(name)).isFalse();
        assertThat(FileUri.parse("files:" + STORE + "/" + Id.next() + "/" + name))
                .isEmpty();
        assertThatThrownBy(() -> FileUri.upload(STORE, name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pathSegmentIsRejectedWhenTooLongForAFileSystem() {
        assertThat(FileUri.isName("ü".repeat(127) + "/" + "x".repeat(255))).isTrue();
        assertThat(FileUri.isName("ü".repeat(128))).isFalse();
        assertThat(FileUri.isName("folder/" + "x".repeat(256))).isFalse();
    }

    @Test
    void nameIsRejectedWhenTooLongForAnS3Key() {
        String folders = ("ü".repeat(99) + "/").repeat(4);
        assertThat(FileUri.isName(folders + "ü".repeat(52))).as("of 900 bytes").isTrue();
        assertThat(FileUri.isName(folders + "ü".repeat(52) + "x")).isFalse();
        String longest = FileUri.file(STORE, Id.next(), ("x".repeat(99) + "/").repeat(8) + "x".repeat(100))
                .toString();
        assertThat(FileUri.parse(longest)).isPresent();
        assertThat(FileUri.parse(longest + "x")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cube.gcode", "uploads:abc/def/x", "other:%s/%s/x"})
    void invalidUriIsRejected(String text) {
        assertThat(FileUri.parse(text.formatted(STORE, Id.next()))).isEmpty();
    }
}
