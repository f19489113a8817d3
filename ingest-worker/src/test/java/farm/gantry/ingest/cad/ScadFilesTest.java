package farm.gantry.ingest.cad;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import farm.gantry.ingest.reading.BadFileException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScadFilesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "include </etc/passwd>",
                "use <../other/lid.scad>",
                "import(\"/etc/shadow\");",
                "import(file = \"a/../../b.stl\", convexity = 3);",
                "surface(name);",
                "import(str(\"/\", \"etc\"));",
                "import /**/ (\"/etc/shadow\");",
                "import // read\n(\"/etc/shadow\");",
                "echo(\"/* \\\" // \"); surface/* \" */(\"/etc/shadow\");",
                "include <a\"b>\nimport /* \" */ (\"/etc/shadow\");",
                "use <a//b>\nimport /* > */ (\"/etc/shadow\");"
            })
    void whatReachesOutOfItsFolderIsRefused(String model) {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> ScadFiles.requireOwn("cube(1);\n" + model))
                .withMessageContaining("gantry.worker.trust-models");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "include <BOSL2/std.scad>",
                "use <sizes.scad>",
                "import(\"lid.stl\");",
                "surface(file = \"map.png\", center = true);",
                "echo(\"http://example.org\"); import(\"lid.stl\");",
                "cube(1);"
            })
    void whatLiesBesideItOrInALibraryIsRead(String model) {
        assertThatCode(() -> ScadFiles.requireOwn(model)).doesNotThrowAnyException();
    }
}
