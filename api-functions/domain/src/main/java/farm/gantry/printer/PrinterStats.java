package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.RecordBuilder;
import farm.gantry.job.SuccessRate;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a printer did between two times: prints that ended by their outcome, each attempt of a job counted, hours of
 * printing, and grams of filament, those of completed prints estimated where the printer does not tell.
 * {@code isComplete} is false where the weight of a print is unknown, which the grams leave out. {@code successRate}
 * is completed / (completed + failed), null without either; a print of which no piece is good counts as failed. {@code good} and
 * {@code rejected} are the pieces that somebody judged. {@code parts}, {@code materials} and {@code profiles} tell the same of each,
 * those with most failures first; null unless asked for.
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
        double grams,
        boolean isComplete,
        long good,
        long rejected,
        @Nullable List<SuccessRate> parts,
        @Nullable List<SuccessRate> materials,
        @Nullable List<SuccessRate> profiles) {

    /** The same with the rates of what the printer printed. */
    public PrinterStats with(List<SuccessRate> ofParts, List<SuccessRate> ofMaterials, List<SuccessRate> ofProfiles) {
        return RecordBuilder.copyOf(this)
                .with("parts", ofParts)
                .with("materials", ofMaterials)
                .with("profiles", ofProfiles)
                .build();
    }
}
