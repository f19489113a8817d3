package farm.gantry.api.file;

import farm.gantry.file.FileUri;

/** A file that is kept: its address, SHA-256 in hex and size in bytes. */
public record StoredFile(FileUri uri, String sha256, long size) {}
