package farm.gantry.api.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that links between Markdown files become links between the URLs of pages. */
final class PageLinksTest {
    private static String html(String page, String markdown) {
        Node document = Parser.builder().build().parse(markdown);
        document.accept(new PageLinks(page));
        return HtmlRenderer.builder().build().render(document).strip();
    }

    @ParameterizedTest
    @CsvSource({
        "operate/install, backup.md, /docs/operate/backup",
        "operate/install, ../printers/index.md, /docs/printers",
        "operate/install, ../index.md, /docs",
        "index, operate/install.md#change-the-port, /docs/operate/install#change-the-port",
        "printers/index, #register-printers, #register-printers",
        "index, https://example.com/a.md, https://example.com/a.md",
        "index, /reference, /reference"
    })
    void linkLeadsToTheAddressOfThePage(String page, String link, String address) {
        assertThat(html(page, "[here](" + link + ")")).isEqualTo("<p><a href=\"" + address + "\">here</a></p>");
    }

    @Test
    void linkToAFileOutsideTheDocumentationBecomesText() {
        assertThat(html("operate/upgrade", "See the [*long* list](../../../.github/CHANGELOG.md)."))
                .isEqualTo("<p>See the <em>long</em> list.</p>");
    }

    @Test
    void imageIsLoadedFromTheDocumentation() {
        assertThat(html("operate/monitor", "![fleet](../pictures/fleet.png)"))
                .isEqualTo("<p><img src=\"/docs/pictures/fleet.png\" alt=\"fleet\" /></p>");
    }
}
