package farm.gantry.api.wrong.json;

import farm.gantry.api.http.Gzip;

public final class JsonOverHttp {
    boolean isCompressed(String acceptEncoding) {
        return Gzip.isPreferred(acceptEncoding);
    }
}
