package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.mqtt.Trust;
import farm.gantry.edge.printer.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPReply;

/** A file on its way to a printer's card, which is not started before it is whole. */
record Upload(Address address, Trust trust) {
    private static final Duration SOON = Duration.ofSeconds(20);

    void send(Path file, String fileName) throws IOException, Refusal {
        try (Project project = Project.of(file)) {
            PrinterFtps ftps = new PrinterFtps(trust.context());
            ftps.setConnectTimeout((int) SOON.toMillis());
            ftps.setDefaultTimeout((int) SOON.toMillis());
            ftps.setDataTimeout(PrinterHttp.uploadTime(project.path()));
            try {
                ftps.connect(address.host(), address.filePort());
                if (!ftps.login("bblp", address.accessCode())) {
                    throw new Refusal("the printer does not accept the access code");
                }
                ftps.protect();
                ftps.enterLocalPassiveMode();
                ftps.setFileType(FTP.BINARY_FILE_TYPE);
                store(ftps, project.path(), fileName);
            } finally {
                ftps.disconnect();
            }
        }
    }

    /** Some printers call a whole file aborted, and some a cut one stored: its size tells. */
    private static void store(PrinterFtps ftps, Path file, String fileName) throws IOException, Refusal {
        try (InputStream content = Files.newInputStream(file);
                OutputStream out = ftps.storeFileStream(fileName)) {
            if (out == null) {
                throw refused(ftps);
            }
            content.transferTo(out);
        }
        boolean stored = ftps.completePendingCommand();
        String words = ftps.getReplyString().strip();
        String size = ftps.getSize(fileName);
        boolean whole = size == null ? stored : size.strip().equals(String.valueOf(Files.size(file)));
        if (!whole) {
            throw new IOException("the file did not arrive whole: " + words);
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
