package farm.gantry.api.documentation;

import io.micronaut.core.io.ResourceLoader;
import io.micronaut.core.util.SupplierUtil;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The Markdown pages in the program, in the order of {@code pages.txt}. */
@Singleton
public final class DocumentationPages {
    private static final String FOLDER = "classpath:docs/";
    private static final String SECTION = "# ";
    private static final String INDEX = "index";

    private final ResourceLoader resources;
    private final Supplier<List<Section>> sections;

    DocumentationPages(ResourceLoader resources) {
        this.resources = resources;
        this.sections = SupplierUtil.memoized(this::read);
    }

    /** A group of pages under a common heading. */
    public record Section(String title, List<Page> pages) {}

    /** A page; {@code path} is its file below the folder of the documentation, without {@code .md}. */
    public record Page(String path, String title, String markdown) {

        String address() {
            return PageLinks.address(path);
        }
    }

    /** Returns the groups of pages, in the order of the list. */
    public List<Section> sections() {
        return sections.get();
    }

    /** Returns the page at a path below {@code /docs}: with or without {@code .md}, or the index of a folder. */
    public Optional<Page> find(String path) {
        String name = path.replaceFirst("/+$", "").replaceFirst("\\.md$", "");
        return sections().stream()
                .flatMap(section -> section.pages().stream())
                .filter(page ->
                        page.path().equals(name) || page.path().equals(name.isEmpty() ? INDEX : name + "/" + INDEX))
                .findFirst();
    }

    private List<Section> read() {
        List<Section> all = new ArrayList<>();
        List<Page> pages = new ArrayList<>();
        String list = loadText("pages.txt").orElseThrow(() -> new IllegalStateException("docs/pages.txt is missing"));
        for (String line : list.lines().filter(each -> !each.isBlank()).toList()) {
            if (line.startsWith(SECTION)) {
                pages = new ArrayList<>();
                all.add(new Section(line.substring(SECTION.length()), pages));
            } else {
                loadPage(line).ifPresent(pages::add);
            }
        }
        all.removeIf(section -> section.pages().isEmpty());
        return List.copyOf(all);
    }

    private Optional<Page> loadPage(String path) {
        return loadText(path + ".md").map(markdown -> new Page(path, title(path, markdown), markdown));
    }

    /** Returns the text of the page's first heading. */
    private static String title(String path, String markdown) {
        return markdown.lines()
                .filter(line -> line.startsWith(SECTION))
                .map(line -> line.substring(SECTION.length()).strip())
                .findFirst()
                .orElse(path);
    }

    private Optional<String> loadText(String path) {
        return resources
                .getResourceAsStream(FOLDER + path)
                .map(stream -> new String(bytes(stream), StandardCharsets.UTF_8));
    }

    static byte[] bytes(InputStream stream) {
        try (stream) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
