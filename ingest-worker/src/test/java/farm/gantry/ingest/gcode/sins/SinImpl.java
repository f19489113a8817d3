package farm.gantry.ingest.gcode.sins;

import farm.gantry.ingest.stage.RunLimits;
import java.net.URI;
import java.util.Date;
import software.amazon.awssdk.regions.Region;

/** Everything a reader must not be, so that the rules can be seen to fail. */
@SuppressWarnings("JavaUtilDate")
final class SinImpl {
    Date date = new Date(0);

    RunLimits limits = RunLimits.DEFAULTS;

    Region region = Region.AWS_GLOBAL;

    URI remote() {
        return URI.create("http://localhost/" + date);
    }
}
