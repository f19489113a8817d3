package farm.gantry.api.format;

import farm.gantry.api.http.address.AddressRange;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks the host of a printer. The agent connects to it, so anything but a plain host, and link-local addresses with
 * cloud credentials, are rejected.
 */
final class PrinterHosts {
    private static final int MAX_LENGTH = 253;
    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?";
    /** The last label begins with a letter: programs read {@code 127.1} and {@code 0x7f000001} as addresses. */
    private static final Pattern NAME = Pattern.compile("(" + LABEL + "\\.)*(?!\\d)" + LABEL + "\\.?");

    private static final List<AddressRange> REFUSED =
            List.of("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128").stream()
                    .flatMap(range -> AddressRange.parse(range).stream())
                    .toList();

    private PrinterHosts() {}

    /** Returns why the host is invalid; empty if it is valid. */
    static Optional<String> fault(String host) {
        if (host.isEmpty() || (host.length() <= MAX_LENGTH && NAME.matcher(host).matches())) {
            return Optional.empty();
        }
        Optional<AddressRange> address = host.contains("/") ? Optional.empty() : AddressRange.parse(host);
        if (address.isEmpty()) {
            return Optional.of("must be a host name or an IP address, without a port, a path or a scheme");
        }
        return REFUSED.stream().anyMatch(range -> range.contains(address.get()))
                ? Optional.of("must not be a link-local address: give the printer an address of the network")
                : Optional.empty();
    }
}
