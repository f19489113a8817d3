package farm.gantry.ingest.function.emulator;

import farm.gantry.Id;
import farm.gantry.ingest.function.AwsClients;
import farm.gantry.ingest.function.BucketFileStorage;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** An S3 emulator in this process that stores its objects in a folder. */
public final class Buckets {
    private final S3Proxy server;
    private final SdkSettings settings;
    private final S3Client client;

    public Buckets(Path folder) throws Exception {
        var properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", folder.toString());
        server = S3Proxy.builder()
                .blobStore(BlobStores.create("filesystem-nio2", properties))
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, SdkSettings.KEY, SdkSettings.SECRET)
                .build();
        server.start();
        settings = new SdkSettings("aws.endpointUrlS3", server.getPort());
        client = AwsClients.newS3Client(SdkSettings.REGION);
    }

    public String newBucket() {
        String bucket = Id.next();
        client.createBucket(request -> request.bucket(bucket));
        return bucket;
    }

    public BucketFileStorage files(String bucket) {
        return new BucketFileStorage(client, bucket);
    }

    public S3Client client() {
        return client;
    }

    public List<String> keys(String bucket) {
        return client.listObjectsV2(request -> request.bucket(bucket)).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    public void stop() throws Exception {
        client.close();
        settings.close();
        server.stop();
    }
}
