package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import farm.gantry.api.fixture.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the import of tables. */
final class ConsoleImportTest extends ConsoleVisit {
    private static void choose(Page page, String name, String table) {
        page.getByLabel("Import CSV …")
                .setInputFiles(new FilePayload(name, "application/vnd.ms-excel", Client.utf8(table)));
    }

    @Test
    void faultyCellsAreNamedBeforeAnythingIsStored() {
        Page page = visit("skus");
        choose(page, "lamps.csv", "sku,title\nLAMP-7,Lamp\nLAMP-8,\nLAMP-9,Lamp,red\n");
        Locator dialog = page.locator("dialog");
        assertThat(dialog).containsText("lamps.csv cannot be imported");
        assertThat(dialog).containsText("line 4Has 3 cells, but the first line has 2");
        opensToAll(page);
        assertThat(dialog.locator("button")).hasCount(1);
        button(page, "Close").click();
        choose(page, "lamps.csv", "sku,title\nLAMP-7,Lamp\nLAMP-8,\n");
        assertThat(dialog).containsText("line 3, column titleIs required");
        button(page, "Close").click();
        choose(page, "lamps.csv", "sku,title\nLAMP-7,Lamp\nLAMP-8,Big lamp\n");
        assertThat(dialog).containsText("Import lamps.csv?New records2");
        assertThat(client.get("/v1/skus").json().size()).as("only checked").isZero();
        confirm(page);
        says(page, "2 records imported");
        assertThat(page.locator(".card h2")).hasText(new String[] {"Big lamp", "Lamp"});
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            orders | order.orderNumber,item.title,item.quantity | 1042,Lamp,2 | /v1/orders
            spools | materialType,remainingGrams | PLA,800 | /v1/materials/instances
            register | name,nozzleDiameter | Shelf 1,0.4 | /v1/printers
            """)
    void tableIsImported(String view, String header, String line, String list) {
        Page page = visit(view);
        choose(page, "table.csv", header + "\n" + line + "\n");
        assertThat(page.locator("dialog")).containsText("Import table.csv?New records1");
        confirm(page);
        says(page, "1 record imported");
        assertThat(client.get(list).json().size()).isEqualTo(1);
    }

    @Test
    void userWhoMayCreateNothingImportsNothing() {
        Page page = visitWith("skus", "sku.view");
        assertThat(page.getByText("No SKU yet")).isVisible();
        assertThat(page.getByLabel("Import CSV …")).hasCount(0);
    }
}
