package farm.gantry.ingest.gcode.violation;

import farm.gantry.ingest.stage.RunLimits;
import java.net.URI;
import java.util.Date;
import software.amazon.awssdk.regions.Region;

/** Breaks the rules for readers. */
@SuppressWarnings("JavaUtilDate")
final class ViolationImpl {
    Date date = new Date(0);

    RunLimits limits = RunLimits.DEFAULTS;

    Region region = Region.AWS_GLOBAL;

    URI remote() {
        return URI.create("http://localhost/" + date);
    }
}
