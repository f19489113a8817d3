package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Permission;
import farm.gantry.api.query.Operator;
import farm.gantry.notification.EventName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The API guide names every error code, webhook event, permission and operator that the code has. */
class DocumentedNamesTest {
    private static final Path GUIDE = Path.of("../docs/api");
    private static final Path ERRORS =
            Path.of("../../api-functions/src/main/java/farm/gantry/api/http/ProblemResponses.java");
    private static final Pattern CODE = Pattern.compile("\\b[45]\\d\\d,\\s+\"([a-z_]+)\"");

    @Test
    void errorsPageNamesEveryErrorCode() throws IOException {
        List<String> codes = CODE.matcher(Files.readString(ERRORS))
                .results()
                .map((MatchResult code) -> code.group(1))
                .toList();
        assertThat(codes).contains("validation_failed", "rate_limited", "unavailable");
        assertNames("errors.md", Stream.concat(codes.stream(), Stream.of("agent_superseded")));
    }

    @Test
    void webhooksPageNamesEveryEvent() throws IOException {
        assertNames("webhooks.md", Arrays.stream(EventName.values()).map(EventName::name));
    }

    @Test
    void authenticationPageNamesEveryPermission() throws IOException {
        assertNames("authentication.md", Arrays.stream(Permission.values()).map(Permission::wireName));
    }

    @Test
    void queriesPageNamesEveryOperator() throws IOException {
        assertNames("queries.md", Arrays.stream(Operator.values()).map(Operator::name));
    }

    private static void assertNames(String file, Stream<String> names) throws IOException {
        String page = Files.readString(GUIDE.resolve(file));
        assertThat(names)
                .as("names in %s", file)
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }
}
