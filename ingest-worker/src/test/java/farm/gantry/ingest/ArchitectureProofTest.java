package farm.gantry.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.Field;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A rule that cannot fail protects nothing: with the tests and their sins among the classes, each does. */
class ArchitectureProofTest {
    private final JavaClasses withSins = new ClassFileImporter().importPackages("farm.gantry.ingest");

    @TestFactory
    Stream<DynamicTest> everyRuleCanFail() {
        return Stream.of(ArchitectureTest.class.getDeclaredFields())
                .filter(field -> field.getType() == ArchRule.class)
                .map(field -> DynamicTest.dynamicTest(
                        field.getName(),
                        () -> assertThat(rule(field).evaluate(withSins).hasViolation())
                                .isTrue()));
    }

    private static ArchRule rule(Field field) throws IllegalAccessException {
        return (ArchRule) Objects.requireNonNull(field.get(null));
    }
}
