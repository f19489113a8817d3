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
record LifetimeStats(
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

    static LifetimeStats of(Printer printer, PrinterStats stats, PrinterState state) {
        return RecordBuilder.of(LifetimeStats.class)
                .with(LifetimeStats::printerId, printer.id())
                .with(LifetimeStats::lifetimeJobCount, printer.lifetimeJobCount())
                .with(LifetimeStats::lifetimePrintHours, printer.lifetimePrintHours())
                .with(LifetimeStats::lastPrintedAt, printer.lastPrintedAt())
                .with(LifetimeStats::completed, stats.completed())
                .with(LifetimeStats::failed, stats.failed())
                .with(LifetimeStats::cancelled, stats.cancelled())
                .with(LifetimeStats::successRate, stats.successRate())
                .with(LifetimeStats::grams, stats.grams())
                .with(LifetimeStats::isComplete, stats.isComplete())
                .with(LifetimeStats::state, state)
                .build();
    }
}
