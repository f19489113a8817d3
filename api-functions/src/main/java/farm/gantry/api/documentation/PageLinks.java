package farm.gantry.api.documentation;

import java.net.URI;
import java.util.Optional;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * Rewrites the links of a page, which are relative to its file, to addresses below {@code /docs}. A link to a file
 * outside the documentation becomes plain text, because the farm does not serve that file.
 */
final class PageLinks extends AbstractVisitor {
    static final String ROOT = "/docs";
    private static final String EXTENSION = ".md";
    private static final String INDEX = "/index";

    private final URI page;

    /** {@code path} is the page's file below the folder of the documentation, without its extension. */
    PageLinks(String path) {
        this.page = URI.create(ROOT + "/" + path + EXTENSION);
    }

    @Override
    public void visit(Link link) {
        visitChildren(link);
        findTarget(link.getDestination()).ifPresentOrElse(link::setDestination, () -> unwrap(link));
    }

    @Override
    public void visit(Image image) {
        findTarget(image.getDestination()).ifPresentOrElse(image::setDestination, () -> unwrap(image));
    }

    /** Returns the address of the page at a path below the documentation; the index of a folder has that of the folder. */
    static String address(String path) {
        String address = ROOT + "/" + path;
        return address.endsWith(INDEX) ? address.substring(0, address.length() - INDEX.length()) : address;
    }

    /** Returns where a link leads; empty if that is outside the documentation. */
    private Optional<String> findTarget(String destination) {
        if (destination.startsWith("#")
                || destination.startsWith("/")
                || URI.create(destination).isAbsolute()) {
            return Optional.of(destination);
        }
        URI target = page.resolve(destination).normalize();
        if (!target.getPath().startsWith(ROOT + "/")) {
            return Optional.empty();
        }
        String file = target.getPath().substring(ROOT.length() + 1);
        String address =
                address(file.endsWith(EXTENSION) ? file.substring(0, file.length() - EXTENSION.length()) : file);
        return Optional.of(target.getRawFragment() == null ? address : address + "#" + target.getRawFragment());
    }

    /** Replaces a node by its children. */
    private static void unwrap(Node node) {
        Node child = node.getFirstChild();
        while (child != null) {
            Node next = child.getNext();
            node.insertBefore(child);
            child = next;
        }
        node.unlink();
    }
}
