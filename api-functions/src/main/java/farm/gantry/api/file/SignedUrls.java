package farm.gantry.api.file;

import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.file.FileUri;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signed URLs that permit one method on one file until a time. */
@Singleton
public final class SignedUrls {
    static final String ROUTE = "/v1/storage/content";

    private final Pepper pepper;
    private final PublicAddress address;

    SignedUrls(Pepper pepper, PublicAddress address) {
        this.pepper = pepper;
        this.address = address;
    }

    /** The base URL of this install as the request addresses it. */
    public String base(HttpRequest<?> request) {
        return address.of(request);
    }

    /** The base URL outside of a request. */
    public String base() {
        return address.configured()
                .orElseThrow(() ->
                        new IllegalStateException("gantry.public-url must say under which address files are fetched"));
    }

    public String download(HttpRequest<?> request, FileUri uri, Duration life) {
        return download(base(request), uri, life);
    }

    public String download(String base, FileUri uri, Duration life) {
        return sign("GET", base, uri, life);
    }

    public String upload(HttpRequest<?> request, FileUri uri, Duration life) {
        return sign("PUT", base(request), uri, life);
    }

    private String sign(String method, String base, FileUri uri, Duration life) {
        long expires = Instant.now().plus(life).getEpochSecond();
        return base + ROUTE + "?path=" + URLEncoder.encode(uri.toString(), StandardCharsets.UTF_8) + "&expires="
                + expires + "&signature=" + signature(method, uri.toString(), expires);
    }

    /** Verifies a signed request; returns its file. */
    FileUri check(String method, String path, long expires, String signature) {
        boolean signed = MessageDigest.isEqual(
                signature(method, path, expires).getBytes(StandardCharsets.US_ASCII),
                signature.getBytes(StandardCharsets.UTF_8));
        if (!signed) {
            throw new ProblemException(new Problem.Forbidden("the address is not signed for this", null));
        }
        if (Instant.now().getEpochSecond() > expires) {
            throw new ProblemException(new Problem.Forbidden("the address has expired", null));
        }
        return FileUri.parse(path).orElseThrow(() -> ProblemException.notFound("file"));
    }

    private String signature(String method, String path, long expires) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(("files:" + pepper.value()).getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of()
                    .formatHex(mac.doFinal((method + "\n" + expires + "\n" + path).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
