package farm.gantry.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import farm.gantry.RecordBuilder;

@AnalyzeClasses(packages = "farm.gantry.ingest", importOptions = ArchitectureTest.MainClasses.class)
class ArchitectureTest {
    private static final String FILE = "farm.gantry.ingest.file..";
    private static final String STAGE = "farm.gantry.ingest.stage..";
    private static final String WORKER = "farm.gantry.ingest.worker..";
    private static final String FUNCTION = "farm.gantry.ingest.function..";

    @ArchTest
    static final ArchRule readersDoNotDependOnQueuesOrNetwork = noClasses()
            .that()
            .resideInAnyPackage(
                    "farm.gantry.ingest.reading..",
                    "farm.gantry.ingest.mesh..",
                    "farm.gantry.ingest.drawing..",
                    "farm.gantry.ingest.cad..",
                    "farm.gantry.ingest.tool..",
                    "farm.gantry.ingest.gcode..",
                    "farm.gantry.ingest.bgcode..",
                    "farm.gantry.ingest.threemf..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "javax.net..", "java.sql..", "farm.gantry.wire..", "software.amazon..");

    @ArchTest
    static final ArchRule recordFieldsAreNotNamedByStrings =
            noClasses().should().callMethod(RecordBuilder.class, "with", String.class, Object.class);

    /**
     * The layers from the bottom: format readers, files, stages, worker, function. Each depends only on those below it.
     */
    @ArchTest
    static final ArchRule formatReadersDoNotDependOnHigherLayers = noClasses()
            .that()
            .resideInAPackage("farm.gantry.ingest..")
            .and()
            .resideOutsideOfPackages(FILE, STAGE, WORKER, FUNCTION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(FILE, STAGE, WORKER, FUNCTION);

    @ArchTest
    static final ArchRule filesDoNotDependOnStages = noClasses()
            .that()
            .resideInAPackage(FILE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STAGE, WORKER, FUNCTION);

    @ArchTest
    static final ArchRule stagesDoNotDependOnTheWorker = noClasses()
            .that()
            .resideInAPackage(STAGE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(WORKER, FUNCTION);

    @ArchTest
    static final ArchRule everyClassIsInASubpackage = noClasses().should().resideInAPackage("farm.gantry.ingest");

    @ArchTest
    static final ArchRule onlyTheFunctionDependsOnAws = noClasses()
            .that()
            .resideOutsideOfPackage(FUNCTION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("software.amazon..", "com.amazonaws..", FUNCTION);

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            SlicesRuleDefinition.slices().assignedFrom(packages()).should().beFreeOfCycles();

    @ArchTest
    static final ArchRule classNamesHaveNoVagueSuffix =
            noClasses().should().haveNameMatching(".*(Impl|Manager|Helper|Util|Base|Abstract|Dto)s?(\\$.*)?");

    @ArchTest
    static final ArchRule fieldsAreFinal = fields().that()
            .areDeclaredInClassesThat()
            .haveNameNotMatching(".*(Parser|Builder|Stream)")
            .should()
            .beFinal()
            .because("only what goes through a file step by step keeps its place in it");

    @ArchTest
    static final ArchRule nothingIsWrittenToStandardStreams =
            GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

    @ArchTest
    static final ArchRule onlyJavaTimeIsUsedForTime = noClasses()
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are of the old dates",
                    type -> type.isEquivalentTo(java.util.Date.class)
                            || type.isEquivalentTo(java.util.Calendar.class)));

    private static SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith("farm.gantry.ingest")
                        ? SliceIdentifier.of(type.getPackageName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages of the worker";
            }
        };
    }

    /** Excludes the test classes of every Maven profile; ArchUnit's own option knows only the default folder. */
    static final class MainClasses implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }
}
