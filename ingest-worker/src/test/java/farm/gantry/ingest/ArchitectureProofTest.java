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

/** Proves that each rule can fail: with the test classes and the violations among them, every rule reports one. */
class ArchitectureProofTest {
    private final JavaClasses classesWithViolations = new ClassFileImporter().importPackages("farm.gantry.ingest");

    @TestFactory
    Stream<DynamicTest> everyRuleCanFail() {
        return Stream.of(ArchitectureTest.class.getDeclaredFields())
                .filter(field -> field.getType() == ArchRule.class)
                .map(field -> DynamicTest.dynamicTest(
                        field.getName(),
                        () -> assertThat(rule(field)
                                        .evaluate(classesWithViolations)
                                        .hasViolation())
                                .isTrue()));
    }

    private static ArchRule rule(Field field) throws IllegalAccessException {
        return (ArchRule) Objects.requireNonNull(field.get(null));
    }
}
