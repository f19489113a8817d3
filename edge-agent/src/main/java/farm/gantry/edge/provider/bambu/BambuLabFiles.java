package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.file.WatchedTransfer;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PrinterTrust;
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

/**
 * Uploads files to a printer's SD card and removes them. An upload succeeds only if the file on the card is complete.
 */
final class BambuLabFiles {
    /** The default time limit to confirm a file, for which the larger printers take half a minute. */
    static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(BambuLabFiles.class);

    private final BambuLabAddress address;
    private final PrinterTrust trust;
    private final Duration timeout;
    /** Whether the printer requires an unencrypted data connection. Remembered for the lifetime of this object. */
    private volatile boolean inClear;

    /**
     * Creates the access to a printer's files. {@code timeout} is the maximum time in which a printer accepts no byte
     * of a file, or does not confirm it.
     */
    BambuLabFiles(BambuLabAddress address, PrinterTrust trust, Duration timeout) {
        this.address = address;
        this.trust = trust;
        this.timeout = timeout;
    }

    /**
     * Uploads a file. Some of the smaller printers do not support TLS on the data connection; only these receive files
     * without TLS.
     */
    void upload(Path file, String fileName) throws IOException, Refusal, InterruptedException {
        try (ProjectArchive project = ProjectArchive.prepare(file)) {
            if (!inClear) {
                try {
                    uploadOnce(project.path(), fileName, false);
                    return;
                } catch (BambuLabFtpClient.TlsNotSupportedException e) {
                    if (!address.isA1()) {
                        throw e;
                    }
                    LOG.info("{}: uploading without encryption, because: {}", address, e.getMessage());
                }
            }
            uploadOnce(project.path(), fileName, true);
            inClear = true;
        }
    }

    private void uploadOnce(Path file, String fileName, boolean clear) throws IOException, Refusal {
        Duration most = PrinterHttp.uploadTimeout(file);
        UploadResult end;
        try (BambuLabFtpClient ftps = BambuLabFtpClient.open(address, trust, clear, most)) {
            transfer(ftps, file, fileName);
            end = readUploadResult(ftps, fileName);
        }
        if (end == null) {
            try (BambuLabFtpClient ftps = BambuLabFtpClient.open(address, trust, clear, most)) {
                end = new UploadResult(false, "the printer does not confirm the upload", ftps.getSize(fileName));
            }
            if (!end.isComplete(file)) {
                throw new BambuLabFtpClient.TlsNotSupportedException(end.reply(), null);
            }
        }
        if (!end.isComplete(file)) {
            throw new IOException("the upload is incomplete: " + end.reply());
        }
    }

    /**
     * Removes a file. A printer returns the same response for a missing file and for a file that cannot be removed, for
     * example right after its print, so this method checks whether the file is still there.
     */
    void remove(String fileName) throws IOException, Refusal {
        try (BambuLabFtpClient ftps = BambuLabFtpClient.open(address, trust, inClear, timeout)) {
            if (!ftps.deleteFile(fileName)
                    && (ftps.getReplyCode() != FTPReply.FILE_UNAVAILABLE || ftps.getSize(fileName) != null)) {
                throw new IOException("the printer does not remove the file: "
                        + ftps.getReplyString().strip());
            }
        }
    }

    /**
     * The result of an upload: the printer's reply and the size of the stored file. The size decides whether the upload
     * succeeded, because some printers report a complete file as aborted, some report a truncated file as stored, and
     * some do not reply.
     */
    private record UploadResult(
            boolean stored, String reply, @Nullable String size) {

        boolean isComplete(Path file) throws IOException {
            return size == null ? stored : size.strip().equals(String.valueOf(Files.size(file)));
        }
    }

    private void transfer(BambuLabFtpClient ftps, Path file, String fileName) throws IOException, Refusal {
        try (InputStream content = Files.newInputStream(file);
                OutputStream out = ftps.storeFileStream(fileName)) {
            if (out == null) {
                throw readRefusal(ftps);
            }
            WatchedTransfer.copy(content, out, timeout, () -> {
                LOG.warn("{} accepts no more bytes of {}, ending the upload", address, fileName);
                ftps.closeDataConnection();
            });
        }
    }

    /** Returns the result of the upload; null if the printer does not reply. */
    private @Nullable UploadResult readUploadResult(BambuLabFtpClient ftps, String fileName) throws IOException {
        ftps.setSoTimeout((int) timeout.toMillis());
        try {
            boolean stored = ftps.completePendingCommand();
            String words = ftps.getReplyString().strip();
            return new UploadResult(stored, words, ftps.getSize(fileName));
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    private static Refusal readRefusal(BambuLabFtpClient ftps) throws IOException, Refusal {
        String words = ftps.getReplyString().strip();
        if (ftps.getReplyCode() == FTPReply.INSUFFICIENT_STORAGE
                || ftps.getReplyCode() == FTPReply.STORAGE_ALLOCATION_EXCEEDED) {
            throw new Refusal("the printer has no space for the file: " + words);
        }
        throw new IOException("the printer accepts no file now: " + words);
    }
}
