package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.command.StatusReport.Served;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatusReportTest {

    static Stream<Arguments> capabilities() {
        return Stream.of(
                Arguments.of("as its make", null, true),
                Arguments.of("one", Map.of("cameras", List.of(Map.of("ref", "camera"))), true),
                Arguments.of("patched to an empty list", Map.of("cameras", List.of()), false),
                Arguments.of("patched to null", Collections.singletonMap("cameras", null), false),
                Arguments.of("patched away", Map.of("fans", List.of()), false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("capabilities")
    void cameraIsReportedIfThePrinterHasOne(String name, @Nullable Map<String, Object> capability, boolean hasCamera) {
        PrinterConfig config =
                new PrinterConfig("p1", "k1", "Bay 1", Printer.Provider.vendorA, null, null, null, capability, null);
        assertThat(Served.of(config, null).hasCamera()).as(name).isEqualTo(hasCamera);
    }
}
