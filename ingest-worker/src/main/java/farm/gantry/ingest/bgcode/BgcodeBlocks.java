package farm.gantry.ingest.bgcode;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Png;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/** The blocks of a binary G-code file, each verified by its checksum before use. */
final class BgcodeBlocks {
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final int MAGIC = 0x45444347;
    private static final int VERSION = 1;
    private static final int HEADER = 10;
    private static final int BLOCK = 8;
    private static final int CHECKSUM = 4;
    private static final int MAX_COUNT = 1 << 18;
    private static final int MAX_SIZE = 16 << 20;
    private static final long MAX_SETTINGS = MAX_SIZE;
    private static final long MAX_PICTURES = 64L << 20;
    private static final long MAX_MOVES = 8L << 30;
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final List<Block> blocks;

    private BgcodeBlocks(Path file, List<Block> blocks) {
        this.file = file;
        this.blocks = blocks;
    }

    /** The kinds of blocks, with their numbers in the file. */
    enum Kind {
        FILE,
        GCODE,
        SLICER,
        PRINTER,
        PRINT,
        THUMBNAIL
    }

    /** {@code form} is how text is encoded, or what kind of picture it is; only pictures have an {@code area}. */
    record Block(Kind kind, int packing, int size, long dataAt, int packed, int form, int area) {}

    static BgcodeBlocks readAll(Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            if (channel.size() < HEADER) {
                throw new BadFileException("The binary G-code is cut off");
            }
            ByteBuffer header = read(channel, 0, HEADER);
            int version = header.getInt(4);
            int checksum = header.getShort(8);
            if (header.getInt(0) != MAGIC || version != VERSION || checksum < 0 || checksum > 1) {
                throw new BadFileException("The binary G-code is of version " + version + ", which is not supported");
            }
            long trailer = checksum == 1 ? CHECKSUM : 0;
            List<Block> blocks = new ArrayList<>();
            for (long at = HEADER; at < channel.size(); ) {
                Block block = readBlock(channel, at);
                long end = block.dataAt() + block.packed();
                if (end + trailer > channel.size() || blocks.size() >= MAX_COUNT) {
                    throw new BadFileException("The binary G-code is cut off: a block reaches beyond its end");
                }
                if (checksum == 1) {
                    requireChecksum(channel, at, end);
                }
                blocks.add(block);
                at = end + trailer;
            }
            requireTotalSize(
                    blocks, Set.of(Kind.FILE, Kind.PRINTER, Kind.PRINT, Kind.SLICER), MAX_SETTINGS, "settings");
            requireTotalSize(blocks, Set.of(Kind.THUMBNAIL), MAX_PICTURES, "pictures");
            requireTotalSize(blocks, Set.of(Kind.GCODE), MAX_MOVES, "moves");
            return new BgcodeBlocks(file, blocks);
        }
    }

    /** Limits the total unpacked size: a small file may contain blocks that are large once unpacked. */
    private static void requireTotalSize(List<Block> blocks, Set<Kind> kinds, long most, String what)
            throws BadFileException {
        long total = blocks.stream()
                .filter(block -> kinds.contains(block.kind()))
                .mapToLong(Block::size)
                .sum();
        if (total > most) {
            throw new BadFileException(
                    "The binary G-code holds more than " + (most >> 20) + " MB of " + what + ", as no real one does");
        }
    }

    private static Block readBlock(FileChannel channel, long at) throws IOException {
        ByteBuffer header = read(channel, at, 18);
        int kind = Short.toUnsignedInt(header.getShort(0));
        int packing = Short.toUnsignedInt(header.getShort(2));
        if (kind >= KINDS.size() || packing > 3) {
            throw new BadFileException("The binary G-code contains a block of an unknown type");
        }
        long size = Integer.toUnsignedLong(header.getInt(4));
        int lengths = packing == 0 ? BLOCK : BLOCK + Integer.BYTES;
        long packed = packing == 0 ? size : Integer.toUnsignedLong(header.getInt(BLOCK));
        if (size > MAX_SIZE || packed > MAX_SIZE) {
            throw new BadFileException("The binary G-code contains a block that is too large");
        }
        boolean picture = KINDS.get(kind) == Kind.THUMBNAIL;
        int width = Short.toUnsignedInt(header.getShort(lengths + 2));
        int height = Short.toUnsignedInt(header.getShort(lengths + 4));
        return new Block(
                KINDS.get(kind),
                packing,
                (int) size,
                at + lengths + (picture ? 6 : 2),
                (int) packed,
                header.getShort(lengths),
                picture ? Math.min(width, Png.MAX_SIDE) * Math.min(height, Png.MAX_SIDE) : 0);
    }

    private static void requireChecksum(FileChannel channel, long from, long to) throws IOException {
        var sum = new CRC32();
        for (long at = from; at < to; at += BUFFER) {
            sum.update(read(channel, at, (int) Math.min(BUFFER, to - at)).flip());
        }
        if ((int) sum.getValue() != read(channel, to, CHECKSUM).getInt(0)) {
            throw new BadFileException("The binary G-code is broken: a block's checksum differs");
        }
    }

    /** Reads a part of the file; bytes beyond its end are 0. */
    private static ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
        bytes.position(length);
        return bytes;
    }

    List<Block> ofKind(Kind kind) {
        return blocks.stream().filter(block -> block.kind() == kind).toList();
    }

    /** Returns the unpacked content of the block. */
    byte[] unpack(Block block) throws IOException {
        byte[] packed;
        try (var channel = FileChannel.open(file)) {
            packed = read(channel, block.dataAt(), block.packed()).array();
        }
        byte[] data = switch (block.packing()) {
            case 0 -> packed;
            case 1 -> inflate(packed, block.size());
            case 2 -> HeatshrinkDecoder.decode(packed, block.size(), 11);
            default -> HeatshrinkDecoder.decode(packed, block.size(), 12);
        };
        if (data.length != block.size()) {
            throw new BadFileException("The binary G-code is damaged: the size of a block differs from its header");
        }
        return data;
    }

    private static byte[] inflate(byte[] packed, int size) throws IOException {
        try (var in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            return in.readNBytes(size + 1);
        } catch (ZipException | EOFException broken) {
            throw new BadFileException("The binary G-code is broken: a block cannot be unpacked", broken);
        }
    }
}
