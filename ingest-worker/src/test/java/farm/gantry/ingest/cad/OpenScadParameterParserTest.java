package farm.gantry.ingest.cad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import farm.gantry.part.PartParameter;
import farm.gantry.part.PartParameter.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenScadParameterParserTest {
    private static final String MODEL = """
            // A box with a lid
            include <nothing.scad>

            /* [Size] */
            // How wide it is
            width = 20; // [10:0.5:100]
            lid_height = 4; // [2:8]
            depth = 30; // .5
            sides = 6; // [12]
            /* [Look] */
            style = "round"; // [round, square:Sharp corners]
            size = 10; // [10:Small, 20:Large]
            engraved = true; // whether
            text = "say \\"hi\\""; // words
            /* [Hidden] */
            $fn = 60;
            secret = 3;
            /* [Late] */
            offset = [1, 2, 3];
            module box() { cube(width); }
            after = 5;
            """;

    @TempDir
    Path folder;

    private List<PartParameter> parameters() throws IOException {
        return OpenScadParameterParser.parse(Files.writeString(folder.resolve("box.scad"), MODEL));
    }

    private PartParameter parameter(String name) throws IOException {
        return parameters().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void variablesBeforeTheFirstModuleBecomeParameters() throws IOException {
        assertThat(parameters())
                .extracting(
                        PartParameter::name, PartParameter::label, PartParameter::group, PartParameter::defaultValue)
                .containsExactly(
                        tuple("width", "Width", "Size", 20.0),
                        tuple("lid_height", "Lid height", "Size", 4.0),
                        tuple("depth", "Depth", "Size", 30.0),
                        tuple("sides", "Sides", "Size", 6.0),
                        tuple("style", "Style", "Look", "round"),
                        tuple("size", "Size", "Look", 10.0),
                        tuple("engraved", "Engraved", "Look", true),
                        tuple("text", "Text", "Look", "say \"hi\""));
    }

    @Test
    void lastAssignmentWinsAndReversedRangesAreOrdered() throws IOException {
        List<PartParameter> parameters =
                OpenScadParameterParser.parse(Files.writeString(folder.resolve("twice.scad"), """
                a = 1; // [10:1]
                b = 1; // [-5]
                c = 1e999; // [NaN:Infinity]
                a = 2; // [9:0.5:3]
                """));
        assertThat(parameters)
                .extracting(PartParameter::name, PartParameter::defaultValue, PartParameter::min, PartParameter::max)
                .containsExactly(
                        tuple("a", 2.0, 3.0, 9.0), tuple("b", 1.0, -5.0, 0.0), tuple("c", "1e999", null, null));
    }

    @Test
    void trailingCommentSetsRangeStepAndOptions() throws IOException {
        assertThat(parameters().subList(0, 4))
                .extracting(PartParameter::min, PartParameter::step, PartParameter::max)
                .containsExactly(
                        tuple(10.0, 0.5, 100.0), tuple(2.0, null, 8.0), tuple(null, 0.5, null), tuple(0.0, null, 12.0));
        assertThat(parameter("style").options())
                .containsExactly(new Option("round", null), new Option("square", "Sharp corners"));
        assertThat(parameter("size").options()).containsExactly(new Option(10.0, "Small"), new Option(20.0, "Large"));
        assertThat(parameter("width").description()).isEqualTo("How wide it is");
        assertThat(parameter("engraved").type()).isEqualTo(PartParameter.Type.FLAG);
    }

    @Test
    void assignmentEscapesItsValue() throws IOException {
        assertThat(OpenScadParameterParser.toCommandLineOption(parameter("width")))
                .isNull();
        assertThat(OpenScadParameterParser.toCommandLineOption(
                        parameter("width").withValue(25)))
                .isEqualTo("width=25.0");
        assertThat(OpenScadParameterParser.toCommandLineOption(
                        parameter("style").withValue("\"; import(\"/etc/passwd\"); x=\"")))
                .isEqualTo("style=\"\\\"; import(\\\"/etc/passwd\\\"); x=\\\"\"");
    }
}
