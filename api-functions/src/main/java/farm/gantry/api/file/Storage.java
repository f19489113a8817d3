package farm.gantry.api.file;

import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Permission;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.file.FileUri;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Signed addresses for uploads and downloads, and on one machine the bytes themselves. */
@Controller("/v1/storage")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Storage {
    private static final Set<String> PICTURES = Set.of("image/png", "image/jpeg", "image/webp", "image/gif");
    private static final Duration UPLOAD_LIFE = Duration.ofHours(24);
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{0,18})");

    private final LocalFiles files;
    private final SignedUrls urls;
    private final RecordReader reader;
    private final long mostBytes;
    private final UploadSettings pace;
    private final Semaphore places;

    Storage(
            LocalFiles files,
            SignedUrls urls,
            RecordReader reader,
            @Value("${gantry.files.largest-upload-bytes}") long mostBytes,
            UploadSettings pace) {
        this.files = files;
        this.urls = urls;
        this.reader = reader;
        this.mostBytes = mostBytes;
        this.pace = pace;
        this.places = new Semaphore(pace.mostAtOnce());
    }

    @Serdeable
    @Example("""
            {"filenames": ["hinge.3mf"]}""")
    record UploadRequest(@Size(min = 1, max = 100) List<@NotBlank String> filenames) {}

    /** {@code path} names the upload in later calls; the bytes are PUT to {@code uploadUrl}. */
    @Serdeable
    record Upload(String path, String uploadUrl) {}

    @Serdeable
    record Uploads(List<Upload> signedUrls) {}

    /** {@code duration} is the addresses' life in seconds. */
    @Serdeable
    record DownloadRequest(
            @Size(min = 1, max = 1000) List<@NotBlank String> paths,
            @Default("3600") @Min(60) @Max(604800) int duration) {}

    @Serdeable
    record Downloads(List<String> signedUrls) {}

    @Post("/signed-upload-urls")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_CREATE)
    Uploads upload(Caller caller, HttpRequest<?> request, @Body @BodyType(UploadRequest.class) JsonNode body) {
        UploadRequest asked = reader.read(UploadRequest.class, body);
        List<Fault> faults = new ArrayList<>();
        List<Upload> uploads = new ArrayList<>();
        for (int i = 0; i < asked.filenames().size(); i++) {
            String name = asked.filenames().get(i);
            if (!FileUri.isName(name)) {
                faults.add(new Fault("filenames[" + i + "]", "invalid", "is not a file name: '" + name + "'"));
                continue;
            }
            FileUri uri = FileUri.upload(caller.store().value(), name);
            uploads.add(new Upload(uri.toString(), urls.upload(request, uri, UPLOAD_LIFE)));
        }
        if (!faults.isEmpty()) {
            throw new ProblemException(new Problem.Invalid(faults));
        }
        return new Uploads(uploads);
    }

    @Post("/signed-urls")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.FILE_DOWNLOAD)
    Downloads download(Caller caller, HttpRequest<?> request, @Body @BodyType(DownloadRequest.class) JsonNode body) {
        DownloadRequest asked = reader.read(DownloadRequest.class, body);
        return new Downloads(asked.paths().stream()
                .map(path -> FileUri.parse(path)
                        .filter(uri -> uri.storeId().equals(caller.store().value()))
                        .orElseThrow(() -> ProblemException.notFound("file: " + path)))
                .map(uri -> urls.download(request, uri, Duration.ofSeconds(asked.duration())))
                .toList());
    }

    @Put("/content")
    @Consumes(MediaType.ALL)
    @WithoutApiKey("the address is signed")
    HttpResponse<?> put(
            @QueryValue String path,
            @QueryValue long expires,
            @QueryValue String signature,
            @Nullable @Body InputStream bytes)
            throws IOException {
        FileUri uri = urls.check("PUT", path, expires, signature);
        if (!places.tryAcquire()) {
            throw new ProblemException(
                    new Problem.Unavailable("too many files are uploaded at once", Duration.ofSeconds(5)));
        }
        InputStream all = bytes == null ? InputStream.nullInputStream() : bytes;
        try (InputStream content = new MinimumRateStream(all, pace.within(), pace.leastBytes())) {
            files.write(uri, content, mostBytes);
            return HttpResponse.ok();
        } catch (FileTooLargeException e) {
            throw UploadCheck.tooLarge(mostBytes);
        } catch (MinimumRateStream.TooSlowException e) {
            throw new ProblemException(new Problem.TooSlow("an upload must bring " + pace.leastBytes() + " bytes every "
                    + pace.within().toSeconds() + " s"));
        } finally {
            places.release();
        }
    }

    @Get(value = "/content", produces = MediaType.APPLICATION_OCTET_STREAM)
    @WithoutApiKey("the address is signed")
    HttpResponse<StreamedFile> get(
            HttpRequest<?> request, @QueryValue String path, @QueryValue long expires, @QueryValue String signature)
            throws IOException {
        FileUri uri = urls.check("GET", path, expires, signature);
        StoredFile file = files.find(uri).orElseThrow(() -> ProblemException.notFound("file"));
        Optional<Matcher> range = Optional.ofNullable(request.getHeaders().get(HttpHeaders.RANGE))
                .map(RANGE::matcher)
                .filter(Matcher::matches);
        return range.isPresent() ? part(file, range.get()) : whole(file);
    }

    private HttpResponse<StreamedFile> whole(StoredFile file) throws IOException {
        return answer(HttpStatus.OK, file, 0, file.size());
    }

    private HttpResponse<StreamedFile> part(StoredFile file, Matcher range) throws IOException {
        long first = Long.parseLong(range.group(1));
        long last =
                range.group(2).isEmpty() ? file.size() - 1 : Math.min(Long.parseLong(range.group(2)), file.size() - 1);
        if (first > last) {
            throw new ProblemException(new Problem.OutOfRange(file.size()));
        }
        return answer(HttpStatus.PARTIAL_CONTENT, file, first, last - first + 1)
                .header(HttpHeaders.CONTENT_RANGE, "bytes " + first + "-" + last + "/" + file.size());
    }

    /** Pictures are shown as such; what may hold a script is only ever bytes. */
    private static MediaType type(StoredFile file) {
        return ContentTypes.of(file.uri().fileName())
                .filter(PICTURES::contains)
                .map(MediaType::of)
                .orElse(MediaType.APPLICATION_OCTET_STREAM_TYPE);
    }

    private MutableHttpResponse<StreamedFile> answer(HttpStatus status, StoredFile file, long from, long length)
            throws IOException {
        InputStream bytes = files.open(file.uri());
        bytes.skipNBytes(from);
        MediaType type = type(file);
        return HttpResponse.<StreamedFile>status(status)
                .header(HttpHeaders.ACCEPT_RANGES, "bytes")
                .header(HttpHeaders.ETAG, "\"" + file.sha256() + "\"")
                .contentType(type)
                .body(new StreamedFile(new BoundedStream(bytes, length), type, 0, length));
    }
}
