package farm.gantry.api.aws;

import farm.gantry.api.file.ContentTypes;
import farm.gantry.api.file.FileUrls;
import farm.gantry.file.FileUri;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.time.Duration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Pre-signed URLs of the bucket; file contents do not pass through the API. */
@Singleton
final class PresignedUrls implements FileUrls {
    private final S3Presigner presigner;
    private final String bucket;

    PresignedUrls(S3Presigner presigner, AwsSettings settings) {
        this.presigner = presigner;
        this.bucket = settings.bucket();
    }

    @Override
    public String base(HttpRequest<?> request) {
        return bucket;
    }

    @Override
    public String base() {
        return bucket;
    }

    @Override
    public String download(String base, FileUri uri, Duration life) {
        return presigner
                .presignGetObject(signed -> signed.signatureDuration(life)
                        .getObjectRequest(get -> get.bucket(base)
                                .key(uri.path())
                                .responseContentType(ContentTypes.downloadType(uri.fileName()))))
                .url()
                .toString();
    }

    @Override
    public String upload(String base, FileUri uri, Duration life) {
        return presigner
                .presignPutObject(signed -> signed.signatureDuration(life)
                        .putObjectRequest(put -> put.bucket(base).key(uri.path())))
                .url()
                .toString();
    }
}
