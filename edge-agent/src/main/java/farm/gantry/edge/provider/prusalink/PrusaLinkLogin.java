package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.http.DigestChallenge;
import java.net.http.HttpRequest;

/** Authenticates requests. Never by Basic, on which the firmware hangs. */
sealed interface PrusaLinkLogin {

    void sign(HttpRequest.Builder request, String method, String path);

    /** No challenge was received yet. */
    record NoLogin() implements PrusaLinkLogin {

        @Override
        public void sign(HttpRequest.Builder request, String method, String path) {}
    }

    /**
     * Authenticates by API key, as slicers do: on the firmware that is the password, on a Raspberry Pi a separate key.
     */
    record ApiKeyLogin(String key) implements PrusaLinkLogin {

        @Override
        public void sign(HttpRequest.Builder request, String method, String path) {
            request.header("X-Api-Key", key);
        }

        @Override
        public String toString() {
            return "Key";
        }
    }

    record DigestLogin(DigestChallenge digest, String password) implements PrusaLinkLogin {
        private static final String USER = "maker";

        @Override
        public void sign(HttpRequest.Builder request, String method, String path) {
            request.header("Authorization", digest.authorizationHeader(USER, password, method, path));
        }

        @Override
        public String toString() {
            return "Challenged";
        }
    }
}
