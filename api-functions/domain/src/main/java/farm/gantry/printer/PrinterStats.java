package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.RecordBuilder;
import farm.gantry.job.SuccessRate;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a printer did between two times: ended prints by outcome, counting each attempt of a job; hours of printing; and
 * grams of filament, estimated for completed prints where the printer does not report them. {@code isComplete} is false
 * if the weight of a print is unknown; the grams then leave that print out. {@code successRate} is completed /
 * (completed + failed), null without either; a print without a good piece counts as failed. {@code good} and {@code
 * rejected} are judged pieces. {@code parts}, {@code materials} and {@code profiles} give the same per item, most
 * failures first; null unless requested.
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

    /** Returns a copy with the rates of what the printer printed. */
    public PrinterStats withRates(List<SuccessRate> ofParts, List<SuccessRate> ofMaterials, List<SuccessRate> ofProfiles) {
        return RecordBuilder.copyOf(this)
                .with(PrinterStats::parts, ofParts)
                .with(PrinterStats::materials, ofMaterials)
                .with(PrinterStats::profiles, ofProfiles)
                .build();
    }
}
