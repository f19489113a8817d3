package farm.gantry.api.file;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.file.FileUri;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Signed URLs for uploads and downloads. */
@Controller("/v1/storage")
@Blocking
final class Storage {
    private static final Duration UPLOAD_URL_LIFETIME = Duration.ofHours(24);

    private final FileUrls urls;
    private final RecordReader reader;

    Storage(FileUrls urls, RecordReader reader) {
        this.urls = urls;
        this.reader = reader;
    }

    @Serdeable
    @Example("""
            {"filenames": ["hinge.3mf"]}""")
    record UploadRequest(@Size(min = 1, max = 100) List<@NotBlank String> filenames) {}

    /** {@code path} names the upload in later requests; PUT the bytes to {@code uploadUrl}. */
    @Serdeable
    record UploadUrl(String path, String uploadUrl) {}

    @Serdeable
    record UploadUrls(List<UploadUrl> signedUrls) {}

    /**
     * {@code duration} is the lifetime of the URLs in seconds. Files are not checked: the URL of a missing file returns
     * 404, and so does that of a file of a part that was deleted or has another file, unless an unfinished job needs
     * it.
     */
    @Serdeable
    record DownloadRequest(
            @Size(min = 1, max = 1000) List<@NotBlank String> paths,
            @Default("3600") @Min(60) @Max(604800) int duration) {}

    @Serdeable
    record DownloadUrls(List<String> signedUrls) {}

    /**
     * Creates signed URLs to upload files to. {@code PUT} the bytes to each URL, then name the upload by its {@code
     * path}.
     */
    @Post("/signed-upload-urls")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_CREATE)
    UploadUrls upload(Caller caller, HttpRequest<?> request, @Body @BodyType(UploadRequest.class) JsonNode body) {
        UploadRequest upload = reader.read(UploadRequest.class, body);
        String base = urls.base(request);
        Faults faults = new Faults();
        List<UploadUrl> uploads = new ArrayList<>();
        for (int i = 0; i < upload.filenames().size(); i++) {
            String name = upload.filenames().get(i);
            if (!FileUri.isName(name)) {
                faults.add("filenames[" + i + "]", "invalid", "is not a file name: '" + name + "'");
                continue;
            }
            FileUri uri = FileUri.upload(caller.store().value(), name);
            uploads.add(new UploadUrl(uri.toString(), urls.upload(base, uri, UPLOAD_URL_LIFETIME)));
        }
        faults.check();
        return new UploadUrls(uploads);
    }

    /** Creates signed URLs to download files from. Whether the files exist is not checked. */
    @Post("/signed-urls")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.FILE_DOWNLOAD)
    DownloadUrls download(Caller caller, HttpRequest<?> request, @Body @BodyType(DownloadRequest.class) JsonNode body) {
        DownloadRequest download = reader.read(DownloadRequest.class, body);
        String base = urls.base(request);
        return new DownloadUrls(download.paths().stream()
                .map(path -> FileUri.parse(path)
                        .filter(uri -> uri.storeId().equals(caller.store().value()))
                        .orElseThrow(() -> ProblemException.notFound("file: " + path)))
                .map(uri -> urls.download(base, uri, Duration.ofSeconds(download.duration())))
                .toList());
    }
}
