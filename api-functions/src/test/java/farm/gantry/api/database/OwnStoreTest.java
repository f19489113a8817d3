package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.DescribedRequests;
import farm.gantry.api.fixture.FurnishedStore;
import farm.gantry.api.fixture.SharedApi;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends each operation of the description with the smallest body that it describes and ids of the store's own records.
 * The client compares each response with the description, and records the example of the operation.
 */
@Tag("requests")
final class OwnStoreTest {
    private static final List<String> METHODS = List.of("GET", "PATCH", "POST", "PUT", "DELETE");
    private static final int MAX_ROUNDS = 5;
    /** Operations that need more than a described body and an id, such as a signed body. */
    private static final int MAX_REJECTED = 65;

    private final FurnishedStore store = FurnishedStore.open();
    private final Map<String, String> ids = store.ids();
    private final DescribedRequests requests =
            new DescribedRequests(SharedApi.bean(OpenApiDescription.class).tree(), ids);
    private final List<String> faults = new ArrayList<>();

    /** The second order of deletions accepts those that found their record deleted in the first. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyDescribedOperationAnswersForRecordsOfTheStore(boolean deletesChildrenFirst) {
        List<DescribedRequests.Operation> open = new ArrayList<>(requests.operations().stream()
                .filter(operation -> !operation.path().matches(".*/(reset|revoke|sign-out).*"))
                .sorted(Comparator.comparingInt(operation -> METHODS.indexOf(operation.method())))
                .toList());
        if (deletesChildrenFirst) {
            open.sort(Comparator.<DescribedRequests.Operation, Boolean>comparing(
                            operation -> operation.method().equals("DELETE"))
                    .thenComparingInt(operation -> -operation.path().length()));
        }
        // A record is deleted after those that need it, so a rejected deletion is sent again.
        for (int round = 0; round < MAX_ROUNDS; round++) {
            open.removeIf(this::isAccepted);
        }
        assertThat(faults).isEmpty();
        assertThat(open).as("rejected in every form").hasSizeLessThan(MAX_REJECTED);
    }

    private boolean isAccepted(DescribedRequests.Operation operation) {
        String target = requests.ownTarget(operation);
        return Stream.concat(
                        Stream.of(requests.change(operation), requests.least(operation)),
                        requests.inBody(operation, List.of()).stream()
                                .map(slot ->
                                        slot.text().replace(DescribedRequests.VARIED, requests.ownOf(slot.word()))))
                .distinct()
                .anyMatch(body -> isAccepted(operation, target, body.replaceAll("\"a[a-z0-9]{24}\"", "\"example\"")));
    }

    private boolean isAccepted(DescribedRequests.Operation operation, String target, String body) {
        Client client =
                operation.body() == null ? store.client() : store.client().with("content-type", "application/json");
        Answer answer =
                client.send(operation.method(), target, operation.body() == null ? new byte[0] : Client.utf8(body));
        if (answer.status() >= 500 && answer.status() != 501) {
            faults.add("%s %s %s answered %d %s"
                    .formatted(operation.method(), target, body, answer.status(), answer.text()));
        }
        return answer.status() < 300;
    }
}
