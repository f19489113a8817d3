package farm.gantry.api.main.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which parts of a log line a support bundle keeps. */
final class LogRedactionTest {
    private final LogRedaction redaction = new LogRedaction(List.of("correct-horse"));

    private String redact(String line) {
        return redaction.redact(line).strip();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10:15:30.123 WARN  f.g.api.main.ApiServer - the scheduled backup failed and will be tried again",
                "2026-11-30T03:00:00Z wrote the backup (12 MB, 3.5 s), 97% free",
                "gantry 1.0.0-beta.1 doesn't know gantry.backup.keep",
                "java.io.IOException: connection refused",
                "at farm.gantry.api.main.StandaloneServer.start(StandaloneServer.java:104)",
                "POST /v1/jobs/builds answered 409 after 12 ms",
                "the database belongs to a newer version: its schema is V20261130011500;",
                "isOnline=true attempts=3"
            })
    void harmlessLineIsKept(String line) {
        assertThat(redact(line)).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "key k3f9s2l5m1n8p4q7r6t0v2w4.Zx8Yw7Vu6Ts5Rq4Po3Nm2 | key <1>",
                "access code 12345678 is wrong | access code <1> is wrong",
                "access_code=hunter | access_code=<1>",
                "password: correct-horse | password: <1>",
                "agent at 192.168.1.20:7125 and 192.168.1.21 | agent at <1> and <2>",
                "GET https://farm.example/v1/files/a?signature=abc | GET <1>",
                "GET /v1/printers/abcdefghijklmnopqrstuvwx/abc1?token=xyz | GET <1>",
                "GET /v1/printers/a1b2c3/camera | GET /v1/printers/<1>/camera",
                "max@farm.example wrote /home/max/model.3mf | <1> wrote <2>",
                "printer.lan answers, printer.lan does not | <1> answers, <1> does not",
                "aa:bb:cc:dd:ee:ff and fe80::1 | <1> and <2>",
            },
            quoteCharacter = '\0')
    void everythingElseIsReplacedByANumber(String line, String redacted) {
        assertThat(redact(line)).isEqualTo(redacted);
    }

    @Test
    void quotedTextIsRedactedExceptInJson() {
        assertThat(redact("\"Printer of Max\" is not a number")).isEqualTo("\"<1>\" is not a number");
        assertThat(redact("{\"level\":\"WARN\",\"message\":\"the token abc123def456 is wrong\"}"))
                .isEqualTo("{\"level\":\"WARN\",\"message\":\"the token <2> is wrong\"}");
    }
}
