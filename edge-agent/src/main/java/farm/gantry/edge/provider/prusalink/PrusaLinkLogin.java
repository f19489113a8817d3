package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.http.DigestChallenge;
import java.net.http.HttpRequest;

/** The authentication of requests. Basic authentication is never used, because it makes the firmware hang. */
sealed interface PrusaLinkLogin {

    void sign(HttpRequest.Builder request, String method, String path);

    /** No authentication, until a challenge was received. */
    record NoLogin() implements PrusaLinkLogin {

        @Override
        public void sign(HttpRequest.Builder request, String method, String path) {}
    }

    /**
     * Authentication by API key, as slicers use it. On the firmware the key is the password, on a Raspberry Pi a
     * separate key.
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
