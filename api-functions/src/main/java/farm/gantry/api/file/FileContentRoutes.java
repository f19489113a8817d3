package farm.gantry.api.file;

import farm.gantry.api.database.Database;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.file.FileUri;
import io.micronaut.context.annotation.Requires;
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
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.server.types.files.StreamedFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves signed URLs: on one machine it also receives and sends the bytes. */
@Requires(missingProperty = "gantry.aws.bucket")
@Controller(SignedUrls.ROUTE)
@Blocking
final class FileContentRoutes {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{0,18})");

    private final Database database;
    private final LocalFiles files;
    private final SignedUrls urls;
    private final UploadReceiver receiver;

    FileContentRoutes(Database database, LocalFiles files, SignedUrls urls, UploadReceiver receiver) {
        this.database = database;
        this.files = files;
        this.urls = urls;
        this.receiver = receiver;
    }

    /** Uploads a file. The address is a signed URL. Returns 413 if the file is too large. */
    @Put
    @Consumes(MediaType.ALL)
    @WithoutApiKey("the URL is signed")
    HttpResponse<?> put(
            @QueryValue String path,
            @QueryValue long expires,
            @QueryValue String signature,
            @Nullable @Body InputStream bytes)
            throws IOException {
        FileUri uri = urls.verify("PUT", path, expires, signature);
        database.checkServed(uri.storeId());
        receiver.receive(
                bytes == null ? InputStream.nullInputStream() : bytes, content -> receiver.store(uri, content));
        database.checkServed(uri.storeId()); // an export may have copied the files meanwhile
        return HttpResponse.ok();
    }

    /** Downloads a file. Takes a {@code Range} of bytes. Returns 404 if there is no such file. */
    @Get(produces = MediaType.APPLICATION_OCTET_STREAM)
    @WithoutApiKey("the URL is signed")
    HttpResponse<StreamedFile> get(
            HttpRequest<?> request, @QueryValue String path, @QueryValue long expires, @QueryValue String signature)
            throws IOException {
        // Not refused for a moved store: an agent may be fetching the file for a print.
        FileUri uri = urls.verify("GET", path, expires, signature);
        StoredFile file = files.find(uri).orElseThrow(() -> ProblemException.notFound("file"));
        Optional<Matcher> range = Optional.ofNullable(request.getHeaders().get(HttpHeaders.RANGE))
                .map(RANGE::matcher)
                .filter(Matcher::matches);
        return range.isPresent() ? byteRange(file, range.get()) : wholeFile(file);
    }

    private HttpResponse<StreamedFile> wholeFile(StoredFile file) throws IOException {
        return fileResponse(HttpStatus.OK, file, 0, file.size());
    }

    private HttpResponse<StreamedFile> byteRange(StoredFile file, Matcher range) throws IOException {
        long first = Long.parseLong(range.group(1));
        long last =
                range.group(2).isEmpty() ? file.size() - 1 : Math.min(Long.parseLong(range.group(2)), file.size() - 1);
        if (first > last) {
            throw new ProblemException(new Problem.RangeNotSatisfiable(file.size()));
        }
        return fileResponse(HttpStatus.PARTIAL_CONTENT, file, first, last - first + 1)
                .header(HttpHeaders.CONTENT_RANGE, "bytes " + first + "-" + last + "/" + file.size());
    }

    private MutableHttpResponse<StreamedFile> fileResponse(HttpStatus status, StoredFile file, long from, long length)
            throws IOException {
        InputStream bytes = files.open(file.uri());
        bytes.skipNBytes(from);
        MediaType type = MediaType.of(ContentTypes.downloadType(file.uri().fileName()));
        return HttpResponse.<StreamedFile>status(status)
                .header(HttpHeaders.ACCEPT_RANGES, "bytes")
                .header(HttpHeaders.ETAG, "\"" + file.sha256() + "\"")
                .contentType(type)
                .contentLength(length)
                .body(new StreamedFile(new SizeLimitedStream(bytes, length), type, 0, length));
    }
}
