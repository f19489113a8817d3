package farm.gantry.api.http.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IPv4 or IPv6 address or CIDR block ({@code 10.0.0.0/8}). An IPv4-mapped IPv6 address ({@code ::ffff:10.0.0.1}) is
 * treated as the IPv4 address.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record AddressRange(byte[] address, int bits) {
    /** Length in bits of the IPv4-mapped prefix. */
    private static final int MAPPED = 96;

    private static final String IPV4 = "(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}";
    /** {@link InetAddress} also accepts abbreviated IPv4 addresses ({@code 127.1}) and leading zeros. */
    private static final Pattern LITERAL =
            Pattern.compile("(" + IPV4 + "|[0-9a-fA-F:]*:(" + IPV4 + "|[0-9a-fA-F]*))(/(0|[1-9]\\d{0,2}))?");

    public static Optional<AddressRange> parse(String text) {
        if (!LITERAL.matcher(text).matches()) {
            return Optional.empty();
        }
        int slash = text.indexOf('/');
        try {
            byte[] address = InetAddress.getByName(slash < 0 ? text : text.substring(0, slash))
                    .getAddress();
            int before = address.length == 4 && text.contains(":") ? MAPPED : 0;
            int bits = slash < 0 ? address.length * 8 : Integer.parseInt(text.substring(slash + 1)) - before;
            return bits >= 0 && bits <= address.length * 8
                    ? Optional.of(new AddressRange(address, bits))
                    : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Whether one of the textual ranges contains the address. */
    public static boolean isIn(List<String> ranges, InetAddress address) {
        return ranges.stream().flatMap(range -> parse(range).stream()).anyMatch(range -> range.contains(address));
    }

    public boolean contains(InetAddress other) {
        return contains(other.getAddress());
    }

    /** Whether this block contains the whole other block. */
    public boolean contains(AddressRange other) {
        return other.bits >= bits && contains(other.address);
    }

    private boolean contains(byte[] bytes) {
        if (bytes.length != address.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit & 7);
            if ((bytes[bit >> 3] & mask) != (address[bit >> 3] & mask)) {
                return false;
            }
        }
        return true;
    }
}
