package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a printer did between two times: prints that ended by their outcome, each attempt of a job counted, hours of
 * printing, and grams of filament, those of completed prints estimated where the printer does not tell. {@code successRate}
 * is completed / (completed + failed), null without either.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record PrinterStats(
        String printerId,
        Instant from,
        Instant to,
        int jobs,
        int completed,
        int failed,
        int cancelled,
        @Nullable Double successRate,
        double busyHours,
        double grams) {}
