package farm.gantry.aws;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.ingest.reading.FileTree;
import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.assertions.Annotations;
import software.amazon.awscdk.assertions.Match;
import software.amazon.awscdk.assertions.Matcher;
import software.amazon.awscdk.assertions.Template;

/** The synthesized CloudFormation templates of all stages, made once for all tests; none without Node. */
final class SynthesizedStages {
    /** {@code prod} under its own domain, with a reader, two NAT gateways, an origin secret, a firewall and no budget. */
    static final String UNDER_DOMAIN = "domain";
    /** {@code prod} whose agents may use MQTT. */
    static final String WITH_IOT = "iot";

    static final List<String> NAMES = List.of("dev", "prod", UNDER_DOMAIN, WITH_IOT);
    static final String CERTIFICATE = "arn:aws:acm:us-east-1:1:certificate/a";

    private static final SynthesizedStages ALL = new SynthesizedStages();

    private final Map<String, Map<String, Map<String, Object>>> resources = new HashMap<>();
    private final Map<String, Map<String, Map<String, Object>>> firewalls = new HashMap<>();
    private final Map<String, Map<String, Object>> outputs = new HashMap<>();
    private final Map<String, StageSettings> settings = new HashMap<>();
    private final Map<String, GantryStack> stacks = new HashMap<>();

    private SynthesizedStages() {
        if (!isOnPath("node")) {
            return;
        }
        try {
            Path folder = Files.createTempDirectory("stages");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            synthesize(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SynthesizedStages all() {
        return ALL;
    }

    /** Skips the test if nothing could be synthesized. */
    void assumeSynthesized() {
        assumeTrue(isSynthesized(), "no Node, so no template is synthesized; install nodejs 20 or newer");
    }

    boolean isSynthesized() {
        return !resources.isEmpty();
    }

    private void synthesize(Path folder) throws IOException {
        Path functions = folder.resolve("functions.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(functions))) {
            zip.putNextEntry(new ZipEntry("lib/nothing"));
        }
        Path ingest = Files.createDirectories(folder.resolve("ingest"));
        Files.writeString(ingest.resolve("Dockerfile"), "FROM scratch\n");
        Path authorities = Files.createDirectories(folder.resolve("authorities"));
        Path files = Files.createDirectories(folder.resolve("stages"));
        for (String stage : List.of("dev", "prod")) {
            Files.copy(Path.of("stages", stage + ".properties"), files.resolve(stage + ".properties"));
        }
        Files.writeString(
                files.resolve(UNDER_DOMAIN + ".properties"),
                Files.readString(Path.of("stages/prod.properties"))
                        .replace("\ndomain=", "\ndomain=farm.example")
                        .replace("\ndomain.zone=", "\ndomain.zone=Z1")
                        .replace("\ndomain.certificate=", "\ndomain.certificate=" + CERTIFICATE)
                        .replace("\ndatabase.readers=0", "\ndatabase.readers=1")
                        .replace("\nnat.gateways=1", "\nnat.gateways=2")
                        .replace("\norigin-secret=false", "\norigin-secret=true")
                        .replace("\nfirewall.max-requests=0", "\nfirewall.max-requests=2000")
                        .replace("\nbudget.dollars=400", "\nbudget.dollars=0"));
        Files.writeString(
                files.resolve(WITH_IOT + ".properties"),
                Files.readString(Path.of("stages/prod.properties")).replace("\niot=false", "\niot=true"));
        for (String stage : NAMES) {
            App app = new App(AppProps.builder()
                    .outdir(folder.resolve(stage).toString())
                    .context(Map.of("@aws-cdk/core:validateAgainstDefaultRules", true))
                    .build());
            Aspects.of(app).add(new AwsSolutionsChecks());
            StageSettings its = StageSettings.read(files, stage);
            GantryStack stack = new GantryStack(app, its, new Artifacts(functions, ingest, authorities));
            // The app must have all stacks before the first is synthesized.
            Optional<FirewallStack> firewall =
                    its.hasFirewall() ? Optional.of(new FirewallStack(app, its)) : Optional.empty();
            Map<String, Object> template = Template.fromStack(stack).toJSON();
            firewall.ifPresent(made ->
                    firewalls.put(stage, resources(Template.fromStack(made).toJSON())));
            settings.put(stage, its);
            stacks.put(stage, stack);
            resources.put(stage, resources(template));
            outputs.put(stage, map(template.get("Outputs")));
        }
    }

    private static boolean isOnPath(String program) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static void delete(Path folder) {
        try {
            FileTree.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked") // as JSON has them
    private static Map<String, Map<String, Object>> resources(Map<String, Object> template) {
        return (Map<String, Map<String, Object>>) Objects.requireNonNull(template.get("Resources"));
    }

    /** Returns the resources of the stage by their logical ids. */
    Map<String, Map<String, Object>> resources(String stage) {
        return Objects.requireNonNull(resources.get(stage));
    }

    /** Returns the resources of the stage's firewall by their logical ids. */
    Map<String, Map<String, Object>> firewall(String stage) {
        return firewalls.getOrDefault(stage, Map.of());
    }

    Map<String, Object> outputs(String stage) {
        return Objects.requireNonNull(outputs.get(stage));
    }

    StageSettings settings(String stage) {
        return Objects.requireNonNull(settings.get(stage));
    }

    /** Returns what cdk-nag's rules for AWS Solutions find in the stage. */
    @SuppressWarnings("deprecation") // the assertions of the CDK return no newer type
    List<Finding> findings(String stage) {
        Annotations annotations = Annotations.fromStack(Objects.requireNonNull(stacks.get(stage)));
        Matcher rule = Match.stringLikeRegexp("AwsSolutions-.*");
        return Stream.of(annotations.findError("*", rule), annotations.findWarning("*", rule))
                .flatMap(List::stream)
                .map(message -> Finding.parse(
                        message.getId(), String.valueOf(message.getEntry().getData())))
                .toList();
    }

    /** A rule that the construct of this path does not obey. */
    record Finding(String rule, String path, String text) {
        static Finding parse(String id, String text) {
            return new Finding(
                    text.replaceAll("(?s)^(AwsSolutions-\\w+).*", "$1"), id.replaceAll("^/gantry-[^/]+/", ""), text);
        }
    }

    /** Returns the properties of all resources of a type. */
    List<Map<String, Object>> of(String stage, String type) {
        return resources(stage).values().stream()
                .filter(each -> type.equals(each.get("Type")))
                .map(SynthesizedStages::properties)
                .toList();
    }

    static Map<String, Object> properties(Map<String, Object> resource) {
        return map(resource.get("Properties"));
    }

    @SuppressWarnings("unchecked") // an object of JSON
    static Map<String, Object> map(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    static List<?> list(@Nullable Object value) {
        return value == null ? List.of() : value instanceof List<?> many ? many : List.of(value);
    }

    /** Returns all statements that allow something, of resources of these types. */
    Stream<Map<String, Object>> allowed(String stage, Set<String> types) {
        return resources(stage).values().stream()
                .filter(each -> types.contains(String.valueOf(each.get("Type"))))
                .map(SynthesizedStages::properties)
                .flatMap(each -> {
                    List<Object> documents = new ArrayList<>();
                    documents.add(each.get("PolicyDocument"));
                    list(each.get("Policies"))
                            .forEach(policy -> documents.add(map(policy).get("PolicyDocument")));
                    return documents.stream();
                })
                .flatMap(document -> list(map(document).get("Statement")).stream())
                .map(SynthesizedStages::map)
                .filter(statement -> "Allow".equals(statement.get("Effect")));
    }
}
