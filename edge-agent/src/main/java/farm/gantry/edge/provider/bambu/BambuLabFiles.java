package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.file.WatchedTransfer;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files on a printer's card; none is started before it is whole. */
final class BambuLabFiles {
    /** The larger printers take half a minute to say that they have a file. */
    static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(BambuLabFiles.class);

    private final BambuLabAddress address;
    private final Trust trust;
    private final Duration timeout;
    /** What was found out stays so as long as the agent talks with the printer. */
    private volatile boolean inClear;

    /** {@code timeout}: how long a printer may take none of a file, or to say that it has it. */
    BambuLabFiles(BambuLabAddress address, Trust trust, Duration timeout) {
        this.address = address;
        this.trust = trust;
        this.timeout = timeout;
    }

    /** Some of the smaller printers cannot do TLS where the files go; they alone are given theirs without it. */
    void upload(Path file, String fileName) throws IOException, Refusal, InterruptedException {
        try (ProjectArchive project = ProjectArchive.of(file)) {
            if (!inClear) {
                try {
                    store(project.path(), fileName, false);
                    return;
                } catch (PrinterFtps.NotTakenInTls e) {
                    if (!address.isA1()) {
                        throw e;
                    }
                    LOG.info("{}: files go to it in the clear, for {}", address, e.getMessage());
                }
            }
            store(project.path(), fileName, true);
            inClear = true;
        }
    }

    private void store(Path file, String fileName, boolean clear) throws IOException, Refusal {
        Duration most = PrinterHttp.uploadTime(file);
        End end;
        try (PrinterFtps ftps = PrinterFtps.open(address, trust, clear, most)) {
            put(ftps, file, fileName);
            end = end(ftps, fileName);
        }
        if (end == null) {
            try (PrinterFtps ftps = PrinterFtps.open(address, trust, clear, most)) {
                end = new End(false, "the printer does not say that it has it", ftps.getSize(fileName));
            }
            if (!end.isWhole(file)) {
                throw new PrinterFtps.NotTakenInTls(end.words(), null);
            }
        }
        if (!end.isWhole(file)) {
            throw new IOException("the file did not arrive whole: " + end.words());
        }
    }

    /** A printer answers the same where the file is not there and where it cannot be removed, as right after its print. */
    void remove(String fileName) throws IOException, Refusal {
        try (PrinterFtps ftps = PrinterFtps.open(address, trust, inClear, timeout)) {
            if (!ftps.deleteFile(fileName)
                    && (ftps.getReplyCode() != FTPReply.FILE_UNAVAILABLE || ftps.getSize(fileName) != null)) {
                throw new IOException("the printer does not remove the file: "
                        + ftps.getReplyString().strip());
            }
        }
    }

    /** Some printers call a whole file aborted, some a cut one stored, and some say nothing: its size tells. */
    private record End(
            boolean stored, String words, @Nullable String size) {

        boolean isWhole(Path file) throws IOException {
            return size == null ? stored : size.strip().equals(String.valueOf(Files.size(file)));
        }
    }

    private void put(PrinterFtps ftps, Path file, String fileName) throws IOException, Refusal {
        try (InputStream content = Files.newInputStream(file);
                OutputStream out = ftps.storeFileStream(fileName)) {
            if (out == null) {
                throw refused(ftps);
            }
            WatchedTransfer.copy(content, out, timeout, () -> {
                LOG.warn("{} takes no more of {}", address, fileName);
                ftps.cut();
            });
        }
    }

    /** Null where the printer says nothing. */
    private @Nullable End end(PrinterFtps ftps, String fileName) throws IOException {
        ftps.setSoTimeout((int) timeout.toMillis());
        try {
            boolean stored = ftps.completePendingCommand();
            String words = ftps.getReplyString().strip();
            return new End(stored, words, ftps.getSize(fileName));
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    private static Refusal refused(PrinterFtps ftps) throws IOException, Refusal {
        String words = ftps.getReplyString().strip();
        if (ftps.getReplyCode() == FTPReply.INSUFFICIENT_STORAGE
                || ftps.getReplyCode() == FTPReply.STORAGE_ALLOCATION_EXCEEDED) {
            throw new Refusal("the printer has no room for the file: " + words);
        }
        throw new IOException("the printer takes no file now: " + words);
    }
}
