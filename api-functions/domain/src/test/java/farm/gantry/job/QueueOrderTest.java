package farm.gantry.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueOrderTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "a1 b2 c3, 5, -", "a1 b2 c3, 2, b3 c4", "a1 b2 c9, 2, b3", "a1 b2 c3, 1 2, a3 b4 c5",
                "a1 b2 c5, 2 3, b4", "a-3 b-2, -3, a-2 b-1", "a7 b7, 9, b8", "a1 b3, 2, -"
            })
    void jobsShiftToFreeRequestedPlacesInOrder(String before, String requested, String moved) {
        Set<Long> places =
                Arrays.stream(requested.split(" ")).map(Long::valueOf).collect(Collectors.toSet());
        assertThat(QueueOrder.makeRoom(places(before), places)).isEqualTo(moved == null ? Map.of() : places(moved));
    }

    private static Map<String, Long> places(String text) {
        Map<String, Long> places = new LinkedHashMap<>();
        for (String each : List.of(text.split(" "))) {
            places.put(each.substring(0, 1), Long.valueOf(each.substring(1)));
        }
        return places;
    }
}
