package farm.gantry.api.wrong;

import farm.gantry.RecordBuilder;
import farm.gantry.job.PrintJob;

public record FieldByText(PrintJob job) {
    public PrintJob hidden() {
        return RecordBuilder.copyOf(job).with("hidden", true).build();
    }
}
