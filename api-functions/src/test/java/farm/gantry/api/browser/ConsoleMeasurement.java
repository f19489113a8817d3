package farm.gantry.api.browser;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Measures the queue of a busy farm: 345 rows with 925 jobs, while 28 printers report once a second. Prints the milliseconds to
 * the first row and the percentage of the main thread that the page needs while nobody touches it. Run it with
 * {@code infra/test ConsoleMeasurement}.
 */
final class ConsoleMeasurement extends ConsoleVisit {
    private static final int ROWS = 345;
    private static final int JOBS = 925;
    private static final int PRINTERS = 28;
    private static final int OPENINGS = 5;
    private static final int IDLE_SECONDS = 20;

    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final PicturedFarm farm = new PicturedFarm(store, fakeAgent);

    @Test
    void longQueue() {
        farm.fleet();
        String[] printers = new String[PRINTERS];
        Arrays.setAll(printers, i -> fakeAgent.printer("Busy " + i, ""));
        String part = ReadyParts.uploaded(store, client);
        for (int i = 0; i < ROWS; i++) {
            int quantity = JOBS / ROWS + (i < JOBS % ROWS ? 1 : 0);
            fakeAgent.jobOf(
                    part,
                    ", \"tags\": {\"user.tags\": \"nowhere\"}, \"quantity\": %d, \"label\": \"row %d\""
                            .formatted(quantity, i));
        }
        Page page = visit("");
        String[] firstRow = new String[OPENINGS];
        for (int i = 0; i < OPENINGS; i++) {
            long before = System.nanoTime();
            page.navigate(page.url().replaceFirst("/console/.*", "/console/queue"));
            page.locator(".row.job").first().waitFor();
            firstRow[i] = String.valueOf(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before));
            page.navigate(page.url().replaceFirst("/console/.*", "/console/"));
            page.locator(".tile").first().waitFor();
        }
        page.navigate(page.url().replaceFirst("/console/.*", "/console/queue"));
        page.locator(".row.job").first().waitFor();
        page.waitForTimeout(5000);
        CDPSession devTools = page.context().newCDPSession(page);
        devTools.send("Performance.enable");
        double before = taskSeconds(devTools);
        long start = System.nanoTime();
        for (int second = 0; second < IDLE_SECONDS; second++) {
            for (int i = 0; i < PRINTERS; i++) {
                farm.heat(printers[i], 200 + (second + i) % 20, 60);
            }
            page.waitForTimeout(1000);
        }
        double busy = 100 * (taskSeconds(devTools) - before) * 1e9 / (System.nanoTime() - start);
        System.out.printf(
                "first row after %s ms; main thread %.1f %% busy while idle, %s nodes%n",
                String.join(", ", firstRow), busy, page.evaluate("() => document.querySelectorAll('*').length"));
    }

    private static double taskSeconds(CDPSession devTools) {
        JsonObject answer = devTools.send("Performance.getMetrics");
        for (JsonElement metric : answer.getAsJsonArray("metrics")) {
            if (metric.getAsJsonObject().get("name").getAsString().equals("TaskDuration")) {
                return metric.getAsJsonObject().get("value").getAsDouble();
            }
        }
        throw new IllegalStateException("The browser reports no task duration: " + answer);
    }
}
