package farm.gantry.edge.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks the examples of RFC 2069 and RFC 2617; the responses were computed independently of this code. */
class DigestChallengeTest {
    private static final String BARE =
            "realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", stale=false";

    @Test
    void challengeWithoutQopUsesTheLegacyDigest() {
        assertThat(answer(BARE, "CircleOfLife"))
                .contains("response=\"1949323746fe6a43ef61f9606e7febea\"")
                .doesNotContain("algorithm", "qop", "cnonce");
    }

    @Test
    void challengeWithQopCountsTheUsesOfItsNonce() {
        DigestChallenge digest =
                new DigestChallenge(BARE + ", qop=\"auth,auth-int\", algorithm=MD5, opaque=\"5ccc\"", "0a4f113b");
        assertThat(digest.authorizationHeader("Mufasa", "Circle Of Life", "GET", "/dir/index.html"))
                .contains(
                        "response=\"6629fae49393a05397450978507c4ef1\"",
                        "algorithm=MD5",
                        "qop=auth",
                        "nc=00000001",
                        "cnonce=\"0a4f113b\"",
                        "opaque=\"5ccc\"");
        assertThat(digest.authorizationHeader("Mufasa", "Circle Of Life", "GET", "/dir/index.html"))
                .contains("nc=00000002");
    }

    @Test
    void md5SessionDigestIncludesBothNonces() {
        assertThat(answer(BARE + ", qop=\"auth\", algorithm=\"MD5-sess\"", "Circle Of Life"))
                .contains("response=\"8e3825c57e897f5a0dec6c2d4e5059d0\"", "algorithm=MD5-sess");
    }

    @Test
    void unsupportedDigestChallengeIsIgnored() {
        assertThat(DigestChallenge.parse(challenges("Basic realm=\"x\"", "Digest nonce=\"n\", algorithm=SHA-256")))
                .isNull();
        assertThat(DigestChallenge.parse(challenges("Digest nonce=\"n\", qop=\"auth-int\"")))
                .isNull();
        assertThat(DigestChallenge.parse(challenges("Basic realm=\"x\"", "digest nonce=\"n\", stale=TRUE")))
                .isNotNull()
                .satisfies(digest -> assertThat(digest.isStale()).isTrue());
    }

    private static String answer(String challenge, String password) {
        return new DigestChallenge(challenge, "0a4f113b")
                .authorizationHeader("Mufasa", password, "GET", "/dir/index.html");
    }

    private static HttpHeaders challenges(String... challenges) {
        return HttpHeaders.of(Map.of("WWW-Authenticate", List.of(challenges)), (_, _) -> true);
    }
}
