package farm.gantry.api;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import farm.gantry.RecordBuilder;
import farm.gantry.StoreId;
import farm.gantry.api.database.Tx;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresAction;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.api.wrong.BodyOfAnyShape;
import farm.gantry.api.wrong.ControllerOnController;
import farm.gantry.api.wrong.FieldByText;
import farm.gantry.api.wrong.FieldInjected;
import farm.gantry.api.wrong.FieldThatChanges;
import farm.gantry.api.wrong.MakeByName;
import farm.gantry.api.wrong.NameHelper;
import farm.gantry.api.wrong.OldTime;
import farm.gantry.api.wrong.Printing;
import farm.gantry.api.wrong.RouteWithoutCaller;
import farm.gantry.api.wrong.RouteWithoutPermission;
import farm.gantry.api.wrong.SqlOutsideTheStore;
import farm.gantry.api.wrong.StoreOutOfThinAir;
import farm.gantry.api.wrong.json.JsonOverHttp;
import farm.gantry.api.wrong.one.First;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wrong.FrameworkInTheDomain;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Inject;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Checks the architecture of the code. Each rule comes with a class that breaks it, which proves that the rule can
 * fail.
 */
@Execution(ExecutionMode.CONCURRENT)
final class ArchitectureTest {
    private static final Pattern GENERATED = Pattern.compile(".*/\\$[^/]*\\.class|.*\\$Intercepted[^/]*\\.class");
    private static final ImportOption WRITTEN = location -> !location.matches(GENERATED);
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(WRITTEN)
            // ArchUnit's own option does not know where the profile quick compiles to.
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("farm.gantry");
    private static final JavaClasses WRONG = new ClassFileImporter()
            .withImportOption(WRITTEN)
            .importPackages("farm.gantry.api.wrong", "farm.gantry.wrong");
    private static final String[] DOMAIN_NEEDS = {
        "farm.gantry..",
        "java.lang..",
        "java.math..",
        "java.nio.charset..",
        "java.security..",
        "java.time..",
        "java.util..",
        "com.fasterxml.jackson.annotation..",
        "io.micronaut.core.annotation..",
        "io.micronaut.core.beans..",
        "io.micronaut.serde.annotation..",
        "io.micronaut.serde.config.naming..", // the default of an annotation's member
        "jakarta.validation..",
        "org.jspecify.annotations.."
    };
    /** The record builder, changes of stored rows, and the packages that still name fields by strings. */
    private static final String[] FIELDS_BY_TEXT = {
        "farm.gantry", "farm.gantry.api.database", "farm.gantry.api.cost", "farm.gantry.edge.journal"
    };
    /** The packages that every other may use and that use none. */
    private static final String[] FOUNDATION = {
        "farm.gantry.api..error", "farm.gantry.api..json", "farm.gantry.api..security"
    };
    /** Mutable classes: buffers, counters, and watchers of a stream or process with a lock of their own. */
    private static final Set<String> CHANGE = Set.of(
            "CsvParser",
            "CsvStream",
            "ListExport",
            "RowJsonWriter",
            "PageWriter",
            "RowStream",
            "SizeLimitedStream",
            "ResponseStream",
            "Signal",
            "MinimumRateStream",
            "ModelWorker",
            "ConnectionTimeoutHandler");

    /** Classes with the SQL statements of a feature; a nested class belongs to its outer class. */
    private static final String ROWS = ".*Rows?(\\$.*)?";

    private static final Pattern BANNED =
            Pattern.compile("(^|.*[a-z0-9])(Impl|Manager|Helper|Util|Utils|Base|Dto)([A-Z].*|$)|^Abstract[A-Z].*");
    private static final DescribedPredicate<JavaClass> API = resideInAnyPackage("farm.gantry.api..");
    private static final DescribedPredicate<JavaClass> DOMAIN = resideInAnyPackage("farm.gantry..")
            .and(resideOutsideOfPackages("farm.gantry.api..", "farm.gantry.ingest..", "farm.gantry.edge.."));

    /** A rule, and the class that breaks it. */
    record Rule(ArchRule rule, Class<?> broken) {
        @Override
        public String toString() {
            return rule.getDescription();
        }
    }

    static List<Rule> rules() {
        return List.of(
                new Rule(
                        methods()
                                .that()
                                .areMetaAnnotatedWith(HttpMethodMapping.class)
                                .should(hold(
                                        "take the caller first, or be open",
                                        route ->
                                                route.isAnnotatedWith(WithoutApiKey.class) || takesCallerFirst(route))),
                        RouteWithoutCaller.class),
                new Rule(
                        methods()
                                .that()
                                .areMetaAnnotatedWith(HttpMethodMapping.class)
                                .should(hold(
                                        "name their permission, or be open",
                                        route -> route.isAnnotatedWith(WithoutApiKey.class)
                                                || route.isAnnotatedWith(RequiresPermission.class)
                                                || route.isAnnotatedWith(RequiresAction.class))),
                        RouteWithoutPermission.class),
                new Rule(
                        methods()
                                .that()
                                .areMetaAnnotatedWith(HttpMethodMapping.class)
                                .should(hold(
                                        "say what a body taken as a tree reads as",
                                        route -> route.getParameters().stream()
                                                .allMatch(each ->
                                                        !each.getRawType().isEquivalentTo(JsonNode.class)
                                                                || each.isAnnotatedWith(BodyType.class)))),
                        BodyOfAnyShape.class),
                new Rule(
                        noClasses()
                                .that(API.and(resideOutsideOfPackages("farm.gantry.api.database..")))
                                .and()
                                .haveNameNotMatching(ROWS)
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage("java.sql..", "javax.sql..", "io.micronaut.transaction..")
                                .orShould()
                                .callMethod(Tx.class, "update", String.class, Object[].class),
                        SqlOutsideTheStore.class),
                new Rule(
                        noClasses()
                                .that(API.and(resideOutsideOfPackages(
                                        "farm.gantry.api.database..",
                                        "farm.gantry.api.apikey..",
                                        "farm.gantry.api.link..",
                                        "farm.gantry.api.queue..")))
                                .and()
                                .haveNameNotMatching(ROWS)
                                .and()
                                .doNotHaveSimpleName("PartIngest") // its own messages, come back, name their store
                                .should()
                                .callConstructor(StoreId.class, String.class),
                        StoreOutOfThinAir.class),
                new Rule(
                        classes()
                                .that()
                                .areAnnotatedWith(Controller.class)
                                .should(new ArchCondition<>("not lean on another controller") {
                                    @Override
                                    public void check(JavaClass controller, ConditionEvents events) {
                                        controller.getDirectDependenciesFromSelf().stream()
                                                .filter(dependency -> !dependency
                                                        .getTargetClass()
                                                        .equals(controller))
                                                .filter(dependency -> dependency
                                                        .getTargetClass()
                                                        .isAnnotatedWith(Controller.class))
                                                .forEach(dependency -> events.add(SimpleConditionEvent.violated(
                                                        controller, dependency.getDescription())));
                                    }
                                }),
                        ControllerOnController.class),
                new Rule(
                        noClasses()
                                .that(resideOutsideOfPackages("farm.gantry.printer", "farm.gantry.edge.provider.*"))
                                .should()
                                .accessFieldWhere(describe(
                                        "it is a make by its name",
                                        (JavaFieldAccess access) ->
                                                isProvider(access.getTarget().getRawType())
                                                        && isProvider(access.getTargetOwner())
                                                        && !access.getName().equals("DEFAULT")))
                                .orShould()
                                .dependOnClassesThat(describe(
                                        "are the metadata of one make",
                                        found -> found.isAssignableTo(PrinterMetadata.class)
                                                && !found.isEquivalentTo(PrinterMetadata.class))),
                        MakeByName.class),
                new Rule(slices().matching("farm.gantry.api.(**)").should().beFreeOfCycles(), First.class),
                new Rule(
                        noClasses()
                                .that()
                                .resideInAnyPackage(FOUNDATION)
                                .should()
                                .dependOnClassesThat(API.and(resideOutsideOfPackages(FOUNDATION))),
                        JsonOverHttp.class),
                new Rule(
                        classes().should(new ArchCondition<>("not be named after a layer") {
                            @Override
                            public void check(JavaClass each, ConditionEvents events) {
                                if (BANNED.matcher(each.getSimpleName()).matches()) {
                                    events.add(SimpleConditionEvent.violated(each, each.getName()));
                                }
                            }
                        }),
                        NameHelper.class),
                new Rule(
                        fields().that()
                                .areDeclaredInClassesThat(API.or(DOMAIN))
                                .and(describe(
                                        "are no option of a command line and not meant to change",
                                        field -> !field.isAnnotatedWith(CommandLine.Option.class)
                                                && !field.isAnnotatedWith(CommandLine.Parameters.class)
                                                && !field.isAnnotatedWith(CommandLine.Spec.class)
                                                && !CHANGE.contains(
                                                        field.getOwner().getSimpleName())))
                                .should()
                                .beFinal(),
                        FieldThatChanges.class),
                new Rule(
                        noFields()
                                .that()
                                .areDeclaredInClassesThat()
                                .areNotRecords()
                                .should()
                                .beAnnotatedWith(Inject.class)
                                .orShould()
                                .beAnnotatedWith(Value.class)
                                .orShould()
                                .beAnnotatedWith(Property.class),
                        FieldInjected.class),
                new Rule(
                        noClasses()
                                .that(API.or(DOMAIN).and(resideOutsideOfPackages("farm.gantry.api.main..")))
                                .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS),
                        Printing.class),
                new Rule(
                        noClasses()
                                .that()
                                .doNotHaveSimpleName("CertificateCheck") // a certificate's end is a Date
                                .should()
                                .dependOnClassesThat()
                                .haveFullyQualifiedName("java.util.Date")
                                .orShould()
                                .dependOnClassesThat()
                                .haveFullyQualifiedName("java.util.Calendar"),
                        OldTime.class),
                new Rule(
                        noClasses()
                                .that(resideOutsideOfPackages(FIELDS_BY_TEXT))
                                .should()
                                .callMethod(RecordBuilder.class, "with", String.class, Object.class),
                        FieldByText.class),
                new Rule(
                        classes()
                                .that(DOMAIN.and(resideOutsideOfPackages("farm.gantry.json..")))
                                .should()
                                .onlyDependOnClassesThat(
                                        resideInAnyPackage(DOMAIN_NEEDS).or(equivalentTo(Serializable.class))),
                        FrameworkInTheDomain.class));
    }

    private static ArchCondition<JavaMethod> hold(String sentence, Predicate<JavaMethod> holds) {
        return new ArchCondition<>(sentence) {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                if (!holds.test(method)) {
                    events.add(SimpleConditionEvent.violated(method, method.getFullName() + " does not"));
                }
            }
        };
    }

    private static boolean isProvider(JavaClass type) {
        return type.isEquivalentTo(Printer.Provider.class);
    }

    private static boolean takesCallerFirst(JavaMethod route) {
        return !route.getRawParameterTypes().isEmpty()
                && route.getRawParameterTypes().getFirst().isEquivalentTo(Caller.class);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void codeKeepsTheRule(Rule rule) {
        rule.rule().check(OURS);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void violationBreaksTheRule(Rule rule) {
        assertThat(rule.rule().evaluate(WRONG).getFailureReport().getDetails())
                .anySatisfy(detail -> assertThat(detail).contains(rule.broken().getSimpleName()));
    }
}
