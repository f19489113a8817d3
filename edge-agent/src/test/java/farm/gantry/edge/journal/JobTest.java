package farm.gantry.edge.journal;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.wire.Command;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobTest {

    @Test
    void fileNameStaysWithinTheLimitAndEncodesItsJob() {
        Command.Print print = new Command.Print(
                Id.next(),
                1_000,
                "A very long name ".repeat(20) + ".gcode",
                "http://x/",
                1,
                "",
                null,
                null,
                1,
                null,
                null,
                null,
                null);
        Job job = Job.of(new Command("c1", "p1", Instant.MAX, print), print);
        assertThat("/api/v1/files/usb/" + job.fileName()).hasSizeLessThanOrEqualTo(100);
        assertThat(JobFileName.parse(job.fileName())).isEqualTo(new JobFileName(print.jobId(), 1_000));
    }
}
