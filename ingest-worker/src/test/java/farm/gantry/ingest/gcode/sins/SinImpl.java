package farm.gantry.ingest.gcode.sins;

import java.net.URI;
import java.util.Date;

/** Everything a reader must not be, so that the rules can be seen to fail. */
@SuppressWarnings("JavaUtilDate")
final class SinImpl {
    Date date = new Date(0);

    URI remote() {
        return URI.create("http://localhost/" + date);
    }
}
