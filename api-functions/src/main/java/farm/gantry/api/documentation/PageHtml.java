package farm.gantry.api.documentation;

import farm.gantry.api.documentation.DocumentationPages.Page;
import farm.gantry.api.documentation.DocumentationPages.Section;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/** Renders a Markdown page to an HTML document with the list of all pages. HTML within Markdown is shown as text. */
@Singleton
final class PageHtml {
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).escapeHtml(true).build();

    private static final String DOCUMENT = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <meta name="color-scheme" content="light dark">
          <title>{title} · Gantry</title>
          <link rel="icon" href="data:,">
          <link rel="stylesheet" href="/docs/documentation.css">
        </head>
        <body>
          <a class="skip" href="#content">To the content</a>
          <header>
            <a class="name" href="/docs">Gantry</a>
            <a class="all" href="#all-pages">All pages</a>
            <a href="/reference">API reference</a>
            <a href="/console/">Console</a>
          </header>
          <div class="columns">
            <main id="content" tabindex="-1">
        {content}    </main>
            <nav id="all-pages" aria-label="Pages">
        {list}    </nav>
          </div>
        </body>
        </html>
        """;

    private final DocumentationPages pages;

    PageHtml(DocumentationPages pages) {
        this.pages = pages;
    }

    String render(Page page) {
        Node document = PARSER.parse(page.markdown());
        document.accept(new PageLinks(page.path()));
        return document(page.title(), page, RENDERER.render(document));
    }

    /** Returns a page that says that there is none, beside the list of those that exist. */
    String notFound() {
        return document(
                "Page not found",
                null,
                "<h1>Page not found</h1>\n<p>There is no page at this address. These are all pages:</p>\n"
                        + pageList(null));
    }

    private String document(String title, @Nullable Page current, String content) {
        return DOCUMENT.replace("{title}", escaped(title))
                .replace("{list}", pageList(current))
                .replace("{content}", content);
    }

    private String pageList(@Nullable Page current) {
        return pages.sections().stream().map(section -> pageList(section, current)).collect(Collectors.joining());
    }

    private static String pageList(Section section, @Nullable Page current) {
        return "<h2>" + escaped(section.title()) + "</h2>\n<ul>\n"
                + section.pages().stream()
                        .map(page -> "<li><a href=\"" + page.address() + "\""
                                + (page.equals(current) ? " aria-current=\"page\"" : "") + ">" + escaped(page.title())
                                + "</a></li>\n")
                        .collect(Collectors.joining())
                + "</ul>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
