package farm.gantry.edge.simulator;

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

/** A form that was uploaded, with the one file in it and its SHA-256. */
record Form(Map<String, String> fields, GcodeFile file, String sha256) {

    static Form of(FullHttpRequest request) throws IOException, RpcFault {
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
                files.entrySet().stream().findFirst().orElseThrow(() -> RpcFault.refused("No file in upload"));
        return new Form(fields, GcodeFile.of(file.getKey(), file.getValue()), sha256(file.getValue()));
    }

    boolean asks(String field) {
        return "true".equals(fields.get(field));
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
