package farm.gantry.api.file;

import farm.gantry.file.FileUri;

/** A stored file: its URI, SHA-256 in hex and size in bytes. */
public record StoredFile(FileUri uri, String sha256, long size) {}
