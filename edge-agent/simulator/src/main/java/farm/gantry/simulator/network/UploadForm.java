package farm.gantry.simulator.network;

import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.multipart.Attribute;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** A multipart form with one file. */
public final class UploadForm {
    private final Map<String, String> fields;
    private final String fileName;
    private final byte[] content;

    private UploadForm(Map<String, String> fields, String fileName, byte[] content) {
        this.fields = fields;
        this.fileName = fileName;
        this.content = content;
    }

    public static UploadForm of(FullHttpRequest request) throws IOException, RpcException {
        Map<String, String> fields = new HashMap<>();
        Map<String, byte[]> files = new HashMap<>();
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(request);
        try {
            for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
                switch (data) {
                    case Attribute attribute -> fields.put(attribute.getName(), attribute.getValue());
                    case FileUpload file -> files.put(file.getFilename(), file.get());
                    default -> {}
                }
            }
        } finally {
            decoder.destroy();
        }
        Map.Entry<String, byte[]> file =
                files.entrySet().stream().findFirst().orElseThrow(() -> RpcException.refused("No file in upload"));
        return new UploadForm(fields, file.getKey(), file.getValue());
    }

    public boolean isTrue(String field) {
        return "true".equals(fields.get(field));
    }

    public Map<String, String> fields() {
        return fields;
    }

    public String fileName() {
        return fileName;
    }

    public byte[] content() {
        return content;
    }

    public GcodeFile file() {
        return GcodeFile.of(fileName, content);
    }

    /** Returns the checksum in hexadecimal digits. */
    public static String hash(String algorithm, byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
