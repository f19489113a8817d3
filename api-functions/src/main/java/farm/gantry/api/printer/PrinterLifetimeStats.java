package farm.gantry.api.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.RecordBuilder;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterStats;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Lifetime counts of a printer and its current state. {@code isComplete} is false if the weight of a print is unknown;
 * the grams then leave that print out.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record PrinterLifetimeStats(
        String printerId,
        int lifetimeJobCount,
        double lifetimePrintHours,
        @Nullable Instant lastPrintedAt,
        int completed,
        int failed,
        int cancelled,
        @Nullable Double successRate,
        double grams,
        boolean isComplete,
        PrinterState state) {

    static PrinterLifetimeStats of(Printer printer, PrinterStats stats, PrinterState state) {
        return RecordBuilder.of(PrinterLifetimeStats.class)
                .with(PrinterLifetimeStats::printerId, printer.id())
                .with(PrinterLifetimeStats::lifetimeJobCount, printer.lifetimeJobCount())
                .with(PrinterLifetimeStats::lifetimePrintHours, printer.lifetimePrintHours())
                .with(PrinterLifetimeStats::lastPrintedAt, printer.lastPrintedAt())
                .with(PrinterLifetimeStats::completed, stats.completed())
                .with(PrinterLifetimeStats::failed, stats.failed())
                .with(PrinterLifetimeStats::cancelled, stats.cancelled())
                .with(PrinterLifetimeStats::successRate, stats.successRate())
                .with(PrinterLifetimeStats::grams, stats.grams())
                .with(PrinterLifetimeStats::isComplete, stats.isComplete())
                .with(PrinterLifetimeStats::state, state)
                .build();
    }
}
