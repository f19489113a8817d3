package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FunctionSettingsCheckTest {
    @Test
    void settingsOfBrokersAreRejectedWithTheirNames() {
        assertThatThrownBy(() -> FunctionSettingsCheck.check(
                        Map.of("gantry.home-assistant.api-key", "k"),
                        Map.of("GANTRY_EVENTS_BROKER_URL", "mqtts://broker.example", "GANTRY_LOG", "json")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("GANTRY_EVENTS_BROKER_URL cannot be set for a function, which keeps no connection to a"
                        + " broker; use webhooks, or set it for an API process beside the functions;"
                        + " gantry.home-assistant.api-key cannot be set for a function, which keeps no connection to a"
                        + " broker; use webhooks, or set it for an API process beside the functions");
    }

    @Test
    void brokerOfAgentsIsAccepted() {
        assertThatCode(() -> FunctionSettingsCheck.check(
                        Map.of("gantry.agents.broker.password", "p"),
                        Map.of("GANTRY_AGENTS_BROKER_URL", "mqtts://broker.example")))
                .doesNotThrowAnyException();
    }

    @Test
    void uploadsAreLimitedToWhatS3AcceptsInOneRequest() {
        assertThatCode(() ->
                        FunctionSettingsCheck.check(Map.of(), Map.of("GANTRY_FILES_MAX_UPLOAD_BYTES", "5368709120")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() ->
                        FunctionSettingsCheck.check(Map.of(), Map.of("GANTRY_FILES_MAX_UPLOAD_BYTES", "5368709121")))
                .hasMessage("GANTRY_FILES_MAX_UPLOAD_BYTES must be at most 5368709120,"
                        + " because S3 accepts no larger file in one request");
        assertThatThrownBy(() ->
                        FunctionSettingsCheck.check(Map.of("gantry.files.max-upload-bytes", "6000000000"), Map.of()))
                .hasMessageStartingWith("gantry.files.max-upload-bytes must be at most 5368709120");
    }

    @Test
    void unknownSettingIsRejected() {
        assertThatThrownBy(() -> FunctionSettingsCheck.check(Map.of(), Map.of("GANTRY_PEPER", "x")))
                .hasMessageContaining("GANTRY_PEPPER");
    }
}
