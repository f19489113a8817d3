package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.file.FileTaskPool;
import farm.gantry.edge.file.Md5;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A file in the form that the printer accepts: an unchanged sliced 3MF, or G-code wrapped as the single plate of a
 * generated 3MF, which is deleted on close.
 */
record ProjectArchive(Path path, boolean isGenerated) implements AutoCloseable {
    private static final byte[] ZIP = {'P', 'K', 3, 4};
    private static final String TYPES = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
            <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
            <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
            <Default Extension="gcode" ContentType="text/x.gcode"/>
            </Types>
            """;
    private static final String RELATIONSHIPS = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
            <Relationship Target="/3D/3dmodel.model" Id="rel-1"
             Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
            </Relationships>
            """;
    private static final String MODEL = """
            <?xml version="1.0" encoding="UTF-8"?>
            <model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
            <resources/>
            <build/>
            </model>
            """;

    static ProjectArchive prepare(Path file) throws IOException, InterruptedException {
        try (InputStream in = Files.newInputStream(file)) {
            if (Arrays.equals(in.readNBytes(ZIP.length), ZIP)) {
                return new ProjectArchive(file, false);
            }
        }
        Path made = Files.createTempFile("gantry", ".3mf");
        try {
            return FileTaskPool.run(() -> wrap(file, made));
        } catch (IOException | InterruptedException e) {
            Files.deleteIfExists(made);
            throw e;
        }
    }

    private static ProjectArchive wrap(Path gcode, Path made) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(made))) {
            addEntry(zip, "[Content_Types].xml", TYPES);
            addEntry(zip, "_rels/.rels", RELATIONSHIPS);
            addEntry(zip, "3D/3dmodel.model", MODEL);
            MessageDigest digest = Md5.digest();
            zip.putNextEntry(new ZipEntry(PrintProjectCommand.FIRST_PLATE));
            try (InputStream in = new DigestInputStream(Files.newInputStream(gcode), digest)) {
                in.transferTo(zip);
            }
            zip.closeEntry();
            addEntry(
                    zip,
                    PrintProjectCommand.FIRST_PLATE + ".md5",
                    HexFormat.of().formatHex(digest.digest()).toUpperCase(Locale.ROOT));
        }
        return new ProjectArchive(made, true);
    }

    private static void addEntry(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    @Override
    public void close() throws IOException {
        if (isGenerated) {
            Files.deleteIfExists(path);
        }
    }
}
