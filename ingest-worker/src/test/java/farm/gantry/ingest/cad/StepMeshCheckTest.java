package farm.gantry.ingest.cad;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.sample.StepBalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StepMeshCheckTest {
    private static final double RADIUS = 60;

    @TempDir
    Path folder;

    private StepMeshCheck check(String step) throws IOException {
        return StepMeshCheck.read(Files.writeString(folder.resolve("in.step"), step));
    }

    private void assertPasses(String step, Mesh mesh) {
        assertThatNoException().isThrownBy(() -> {
            StepMeshCheck check = check(step);
            check.requireSolid();
            check.requireSpheres(mesh);
        });
    }

    private void assertRefused(String step, Mesh mesh) {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> check(step).requireSpheres(mesh))
                .withMessageStartingWith("The model has 50 % of a sphere with radius 60.00 mm,")
                .withMessageContaining("Export the model as STL or 3MF");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, RADIUS, -17})
    void halfBallPassesWithAHalfBallMeshAtAnyHeight(double zOffset) throws IOException {
        assertPasses(StepBalls.half(RADIUS), StepBalls.halfMesh(RADIUS).moved(Transform.translation(0, 0, zOffset)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, RADIUS, -17})
    void halfBallIsRejectedWithAMeshOfTheWholeBall(double zOffset) throws IOException {
        assertRefused(StepBalls.half(RADIUS), StepBalls.wholeMesh(RADIUS).moved(Transform.translation(0, 0, zOffset)));
    }

    @Test
    void radiusIsConvertedToMillimetresWhenTheFileIsInInches() throws IOException {
        String inches = StepBalls.halfInInches(RADIUS / 25.4);
        assertPasses(inches, StepBalls.halfMesh(RADIUS));
        assertRefused(inches, StepBalls.wholeMesh(RADIUS));
    }

    @Test
    void surfaceModelWithoutASolidIsRejected() throws IOException {
        StepMeshCheck check = check(StepBalls.dome(RADIUS));
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(check::requireSolid)
                .withMessageContaining("and no solid. Close the surfaces");
    }

    @Test
    void surfacesBesideASolidPass() throws IOException {
        String both = StepBalls.half(RADIUS).replace("#61=", "#62=OPEN_SHELL('',(#31));#61=");
        assertPasses(both, StepBalls.halfMesh(RADIUS));
    }

    /** A tessellator may support more of STEP than the check does. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#14=CIRCLE | #14=HYPERBOLA",
                "#30=SPHERICAL_SURFACE('',#5 | #30=SPHERICAL_SURFACE('',#99",
                "(#50) | ()",
                ".MILLI. | .YOTTA.",
                "#15=EDGE_CURVE('',#12 | #15=EDGE_CURVE('',#99",
                "#55= | #55=(",
                "#41= | #42=MAPPED_ITEM('',#1,#5);#41=",
                "#24=EDGE_LOOP('',(#20,#21)); | #24=EDGE_LOOP('',(#20,#21",
                "#24=EDGE_LOOP('',(#20,#21)); | #24=EDGE_LOOP('',(#20));",
                "#40=PLANE | #40=SURFACE_OF_REVOLUTION"
            })
    void fileThatTheCheckCannotParsePasses(String part, String replacement) throws IOException {
        assertPasses(StepBalls.half(RADIUS).replace(part, replacement), StepBalls.wholeMesh(RADIUS));
    }

    @Test
    void symbolicLinkOutOfTheFolderIsNotFollowed() throws IOException {
        Path dome = Files.writeString(folder.resolve("dome.step"), StepBalls.dome(RADIUS));
        StepMeshCheck check = StepMeshCheck.read(Files.createSymbolicLink(folder.resolve("out.step"), dome));
        assertThatNoException().isThrownBy(check::requireSolid);
    }
}
