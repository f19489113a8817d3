package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.link.StateReports.ReportDelays;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Connection;
import farm.gantry.printer.PrinterState.Progress;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateReportsTest {
    private static final Duration T = Duration.ZERO;

    private final StateReports reports = new StateReports();

    @Test
    void firstReportOfASessionIsCompleteAndTheNextHasOnlyChanges() {
        deliver(state(Status.idle, 20, 0, 0), T);
        boolean urgent = reports.put("k1", state(Status.printing, 20, 1, 0));
        assertThat(urgent).isTrue();
        List<StateReports.PendingReport> due = reports.pending(T, ReportDelays.PROMPT);
        assertThat(due)
                .singleElement()
                .satisfies(next -> assertThat(next.report().state())
                        .containsEntry("status", "printing")
                        .containsOnlyKeys("status", "job"));
        reports.startSession();
        assertThat(reports.pending(T, ReportDelays.PROMPT))
                .singleElement()
                .satisfies(next -> assertThat(next.report().state())
                        .containsKeys("connection", "status", "temperatures", "errors"));
    }

    @Test
    void temperatureIsReportedAfterTwoSecondsIfItChangedByADegree() {
        deliver(state(Status.idle, 20, 0, 0), T);
        assertThat(reports.put("k1", state(Status.idle, 20.9, 0, 0))).isFalse();
        assertThat(reports.pending(T.plusSeconds(60), ReportDelays.PROMPT)).isEmpty();
        assertThat(reports.put("k1", state(Status.idle, 21, 0, 0))).isFalse();
        assertThat(reports.pending(T.plusSeconds(1), ReportDelays.PROMPT)).isEmpty();
        assertThat(reports.pending(T.plusSeconds(2), ReportDelays.PROMPT)).hasSize(1);
    }

    @Test
    void layerIsReportedAtOnceAndElapsedTimeAtIntervals() {
        deliver(state(Status.printing, 20, 1, 0), T);
        assertThat(reports.put("k1", state(Status.printing, 20, 1, 5))).isFalse();
        assertThat(reports.pending(T.plusSeconds(5), ReportDelays.PROMPT)).isEmpty();
        assertThat(reports.pending(T.plusSeconds(10), ReportDelays.PROMPT)).hasSize(1);
        assertThat(reports.put("k1", state(Status.printing, 20, 2, 5))).isTrue();
    }

    @Test
    void pollingAgentSendsNonUrgentReportsWithItsPoll() {
        deliver(state(Status.printing, 20, 1, 0), T);
        reports.put("k1", state(Status.printing, 25, 2, 0));
        assertThat(reports.pending(T.plusSeconds(600), ReportDelays.URGENT)).isEmpty();
        assertThat(reports.pending(T, ReportDelays.ALL)).hasSize(1);
        reports.put("k1", state(Status.finished, 25, 2, 0));
        assertThat(reports.pending(T, ReportDelays.URGENT)).hasSize(1);
    }

    @Test
    void requestLimitsRoutineReportsOfManyPrinters() {
        int printers = 3 * StateReports.MAX_ROUTINE;
        for (int i = 0; i < printers; i++) {
            reports.put("k" + i, state(Status.printing, 20, 1, 0));
        }
        assertThat(reports.pending(T, ReportDelays.PROMPT))
                .as("the first of a session")
                .hasSize(printers);
        reports.recordSent(reports.pending(T, ReportDelays.PROMPT));
        for (int i = 0; i < printers; i++) {
            reports.put("k" + i, state(i == 0 ? Status.paused : Status.printing, 25, 1, 0));
        }
        Set<String> reported = new HashSet<>();
        for (int request = 1; request <= 3; request++) {
            List<StateReports.PendingReport> pending = reports.pending(T.plusSeconds(1 + request), ReportDelays.PROMPT);
            assertThat(pending).hasSize(StateReports.MAX_ROUTINE + (request == 1 ? 1 : request == 3 ? -1 : 0));
            pending.forEach(report -> reported.add(report.report().deviceId()));
            if (request == 1) {
                assertThat(pending.getFirst().report().deviceId()).isEqualTo("k0");
            }
            reports.recordSent(pending);
        }
        assertThat(reported).as("printers that were reported").hasSize(printers);
        assertThat(reports.pending(T.plusSeconds(60), ReportDelays.ALL)).isEmpty();
    }

    @Test
    void sessionOfManyPrintersBeginsInPieces() {
        int printers = 2 * StateReports.MAX_REPORTS + 1;
        for (int i = 0; i < printers; i++) {
            reports.put("k" + i, state(Status.printing, 20, 1, 0));
        }
        Set<String> reported = new HashSet<>();
        for (int request = 1; request <= 3; request++) {
            List<StateReports.PendingReport> pending = reports.pending(T, ReportDelays.PROMPT);
            assertThat(pending).hasSize(request < 3 ? StateReports.MAX_REPORTS : 1);
            pending.forEach(report -> reported.add(report.report().deviceId()));
            reports.recordSent(pending);
        }
        assertThat(reported).hasSize(printers);
    }

    @Test
    void unchangedStateIsNotReported() {
        deliver(state(Status.idle, 20, 0, 0), T);
        reports.put("k1", state(Status.idle, 20, 0, 0));
        assertThat(reports.pending(T.plusSeconds(100), ReportDelays.PROMPT)).isEmpty();
    }

    private void deliver(PrinterState state, Duration at) {
        reports.put("k1", state);
        reports.recordSent(reports.pending(at, ReportDelays.PROMPT));
    }

    private static PrinterState state(Status status, double nozzle, int layer, long elapsed) {
        Progress job = layer == 0 ? null : new Progress("j1", 1, "a.gcode", 5, layer, 10, elapsed, null, null);
        return new PrinterState(
                Connection.online,
                null,
                status,
                job,
                Map.of("nozzle", new Temperature(nozzle, 0)),
                List.of(),
                List.of(),
                null,
                Instant.EPOCH);
    }
}
