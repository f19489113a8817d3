package farm.gantry.edge;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;

@AnalyzeClasses(packages = "farm.gantry.edge", importOptions = ArchitectureTest.MainClasses.class)
class ArchitectureTest {
    private static final String BANNED = ".*(Impl|Manager|Helper|Util|Utils|Base|Abstract|Dto)([A-Z].*)?";

    @ArchTest
    static final ArchRule PROVIDERS_DO_NOT_DEPEND_ON_EACH_OTHER =
            slices().matching("farm.gantry.edge.provider.(*)..").should().notDependOnEachOther();

    /** A provider that lists what it lacks would silently gain each new ability. */
    @ArchTest
    static final ArchRule PROVIDERS_LIST_EACH_ABILITY_EXPLICITLY = noClasses()
            .that()
            .resideInAPackage("farm.gantry.edge.provider..")
            .should()
            .callMethod(EnumSet.class, "complementOf", EnumSet.class)
            .orShould()
            .callMethod(EnumSet.class, "allOf", Class.class);

    @ArchTest
    static final ArchRule ONLY_THE_PROVIDER_LIST_REFERS_TO_PROVIDER_IMPLEMENTATIONS = noClasses()
            .that()
            .resideOutsideOfPackage("farm.gantry.edge.provider.*")
            .and(not(simpleName("Providers")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("farm.gantry.edge.provider.*");

    @ArchTest
    static final ArchRule ONLY_PROVIDERS_DISTINGUISH_MAKES = noClasses()
            .that()
            .resideOutsideOfPackage("farm.gantry.edge.provider.*")
            .should()
            .accessFieldWhere(DescribedPredicate.describe(
                    "it is a make by its name",
                    (JavaFieldAccess access) ->
                            isProvider(access.getTarget().getRawType()) && isProvider(access.getTargetOwner())))
            .orShould()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are the metadata of a make",
                    found -> found.isAssignableTo(PrinterMetadata.class)
                            && !found.isEquivalentTo(PrinterMetadata.class)));

    private static boolean isProvider(JavaClass type) {
        return type.isEquivalentTo(Printer.Provider.class);
    }

    @ArchTest
    static final ArchRule TRANSPORTS_DO_NOT_DEPEND_ON_PRINTERS_OR_SESSIONS = noClasses()
            .that()
            .resideInAnyPackage(
                    "farm.gantry.edge.retry..",
                    "farm.gantry.edge.http..",
                    "farm.gantry.edge.mqtt..",
                    "farm.gantry.edge.camera..",
                    "farm.gantry.edge.discovery..",
                    "farm.gantry.edge.inbox..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("farm.gantry.edge.printer..", "farm.gantry.edge.session..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("farm.gantry.edge.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule CLASS_NAMES_AVOID_BANNED_WORDS = classes().should().haveNameNotMatching(BANNED);

    /** A field that changes is volatile, so that all threads see its new value at once. */
    @ArchTest
    static final ArchRule FIELDS_ARE_FINAL_OR_VOLATILE =
            fields().that(written()).should().beFinal().orShould().haveModifier(JavaModifier.VOLATILE);

    @ArchTest
    static final ArchRule ONLY_COMMANDS_WRITE_TO_STANDARD_OUTPUT = noClasses()
            .that()
            .resideOutsideOfPackages("farm.gantry.edge.command", "farm.gantry.edge")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err");

    /** All printers share the agent's memory, so that a single long response must not fill it. */
    @ArchTest
    static final ArchRule PRINTER_RESPONSES_HAVE_A_SIZE_LIMIT = noClasses()
            .that()
            .resideInAPackage("farm.gantry.edge.provider..")
            .should()
            .callMethod(HttpResponse.BodyHandlers.class, "ofString");

    /** The machine's clock may jump: decisions use the server clock, and waits are measured by uptime. */
    @ArchTest
    static final ArchRule ONLY_COMMANDS_READ_THE_MACHINE_CLOCK = noClasses()
            .that()
            .resideOutsideOfPackage("farm.gantry.edge.command")
            .should()
            .callMethod(Instant.class, "now");

    @ArchTest
    static void everyProviderIsListedInProviders(JavaClasses all) {
        List<String> listed = Providers.ALL.stream()
                .map(provider -> provider.getClass().getName())
                .toList();
        assertThat(all.stream()
                        .filter(found -> found.getPackageName().startsWith("farm.gantry.edge.provider."))
                        .filter(found -> found.isAssignableTo(Provider.class))
                        .map(JavaClass::getName))
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    private static DescribedPredicate<JavaField> written() {
        return DescribedPredicate.describe(
                "written by hand",
                field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                        && !field.getOwner().getSimpleName().startsWith("$"));
    }

    /** Excludes test classes of all Maven profiles; ArchUnit's own option knows only the default folder. */
    static final class MainClasses implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }
}
