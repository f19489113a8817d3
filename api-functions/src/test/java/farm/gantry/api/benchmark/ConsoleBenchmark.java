package farm.gantry.api.benchmark;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import farm.gantry.Id;
import farm.gantry.api.browser.Browser;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Measures the console in a browser that shows a thousand printers: the time until it can be used with a processor slowed four
 * times, the script time of a frame at 200 status changes a second, and the heap after the changes of an hour, sent faster than
 * in reality. {@code mvn -o -q -Pquick -pl api-functions -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ConsoleBenchmark
 * -DtrimStackTrace=false}
 */
final class ConsoleBenchmark {
    private static final int PRINTERS = Integer.getInteger("printers", 1000);
    private static final int CHUNK = 200;
    private static final int A_SECOND = 200;
    private static final int SECONDS = 30;
    private static final int HOUR_OF_CHANGES = 3600 * A_SECOND;
    private static final int SLOWED = 4;

    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final List<String> printers = new ArrayList<>();

    @Test
    void measure() throws Exception {
        furnish();
        try (Browser browser = new Browser()) {
            Page page = browser.page();
            page.addInitScript(TIMES);
            page.navigate(SharedApi.url() + "/console/#code="
                    + fakeAgent.client().post("/v1/sessions/codes", "{}").at("code"));
            page.getByLabel("Your name").fill("Ada");
            page.keyboard().press("Enter");
            CDPSession devtools = page.context().newCDPSession(page);
            loaded(page);
            usable(page, devtools);
            frames(page, devtools);
            hour(page, devtools);
        }
    }

    private static void loaded(Page page) {
        assertThat(page.locator(".tile"))
                .hasCount(PRINTERS, new LocatorAssertions.HasCountOptions().setTimeout(120_000));
        assertThat(page.getByText("Live")).isVisible();
    }

    /** Measures the time from the first byte of the page to the first tile, with an empty browser cache. */
    private static void usable(Page page, CDPSession devtools) {
        devtools.send("Network.clearBrowserCache");
        devtools.send("Emulation.setCPUThrottlingRate", member("rate", SLOWED));
        page.reload();
        loaded(page);
        devtools.send("Emulation.setCPUThrottlingRate", member("rate", 1));
        System.out.printf(
                "%d printers, processor slowed %d times: first tile after %s ms, all after %s ms%n",
                PRINTERS, SLOWED, page.evaluate("() => Math.round(firstTile - firstByte())"), page.evaluate("""
                        () => Math.round(allTiles - firstByte())"""));
    }

    private void frames(Page page, CDPSession devtools) throws InterruptedException {
        page.evaluate("() => { frames.length = 0; }");
        double before = metric(devtools, "ScriptDuration");
        long start = System.nanoTime();
        int sent = 0;
        for (int i = 0; i < SECONDS * 5; i++) {
            report(sent, A_SECOND / 5);
            sent += A_SECOND / 5;
            long ahead = start + (i + 1) * 200_000_000L - System.nanoTime();
            if (ahead > 0) {
                page.waitForTimeout(ahead / 1e6);
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double script = metric(devtools, "ScriptDuration") - before;
        System.out.printf(
                "%.0f changes a second for %.0f s: script of a frame with changes %s ms; %.1f %% of the time%n",
                sent / seconds, seconds, page.evaluate("""
                        () => { const all = frames.filter((each) => each > 0.05).sort((a, b) => a - b);
                          const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(1);
                          return `median ${at(.5)}, 95 % ${at(.95)}, most ${at(1)} (${all.length} frames)`; }"""), 100 * script / seconds);
    }

    private static void hour(Page page, CDPSession devtools) {
        page.evaluate("() => { instead = true; }");
        page.reload();
        loaded(page);
        long before = heap(devtools);
        List<Long> after = new ArrayList<>();
        for (int part = 0; part < 4; part++) {
            page.evaluate("(count) => tellAll(count, 900)", HOUR_OF_CHANGES / 4);
            after.add(heap(devtools) / 1024);
        }
        System.out.printf(
                "an hour of %d changes: heap %d kB before, then each quarter of an hour %s kB%n",
                HOUR_OF_CHANGES, before / 1024, after);
    }

    private static long heap(CDPSession devtools) {
        devtools.send("HeapProfiler.collectGarbage");
        return devtools.send("Runtime.getHeapUsage").get("usedSize").getAsLong();
    }

    private static double metric(CDPSession devtools, String name) {
        devtools.send("Performance.enable");
        for (var each : devtools.send("Performance.getMetrics").getAsJsonArray("metrics")) {
            if (each.getAsJsonObject().get("name").getAsString().equals(name)) {
                return each.getAsJsonObject().get("value").getAsDouble();
            }
        }
        throw new AssertionError(name);
    }

    private static JsonObject member(String name, int value) {
        JsonObject object = new JsonObject();
        object.addProperty(name, value);
        return object;
    }

    private void furnish() {
        String agent = fakeAgent.client().get("/v1/agents").each("id").getFirst();
        for (int from = 0; from < PRINTERS; from += CHUNK) {
            StringBuilder body = new StringBuilder();
            for (int i = from; i < Math.min(from + CHUNK, PRINTERS); i++) {
                body.append(body.isEmpty() ? '[' : ',').append("""
                        {"name": "Printer %04d", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                         "integrationId": null, "integrationType": null, "proxyClientId": "%s", "modelName": "M%d",
                         "metadata": {"provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4,
                           "server_port": 7125, "host": "10.0.0.7"}}""".formatted(i, Id.next(), agent, i % 5));
            }
            printers.addAll(fakeAgent
                    .client()
                    .with("content-type", "application/json")
                    .send("PUT", "/v1/printers", Client.utf8(body.append(']').toString()))
                    .each("id"));
        }
        for (int from = 0; from < PRINTERS; from += CHUNK) {
            List<String> some = printers.subList(from, Math.min(from + CHUNK, PRINTERS));
            fakeAgent.exchange(
                    some.stream()
                            .map(id -> fakeAgent.event(id, "printerOnline", Map.of()))
                            .toList(),
                    List.of(),
                    List.of());
            report(from, some.size());
        }
    }

    /** Sends progress for this many printing printers. */
    private void report(int from, int count) {
        List<Object> reports = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            Map<String, Object> progress = new HashMap<>(Map.of(
                    "fileName", "bracket.gcode", "currentLayer", i % 300, "totalLayers", 300, "elapsedSeconds", 600));
            progress.put("percent", i / PRINTERS % 100);
            progress.put("remainingSeconds", 9000 - i / PRINTERS);
            reports.add(fakeAgent.report(
                    printers.get(i % PRINTERS),
                    "printing",
                    Map.of(
                            "nozzle",
                            Map.of("actual", 215 + i % 7, "target", 220),
                            "bed",
                            Map.of("actual", 60, "target", 60)),
                    List.of(Map.of(
                            "amsIndex", 0, "slotIndex", 0, "loaded", true, "materialType", "PLA", "color", "D4421E")),
                    Map.of("job", progress)));
        }
        fakeAgent.exchange(List.of(), List.of(), reports);
    }

    /** A script that measures the time of frames, and can replace the farm's event stream by generated events. */
    private static final String TIMES = """
            window.frames = [];
            window.firstByte = () => performance.getEntriesByType("navigation")[0].responseStart;
            new MutationObserver((changes, observer) => {
              const count = document.getElementsByClassName("tile").length;
              if (count && !window.firstTile) { window.firstTile = performance.now(); }
              if (count >= %d && !window.allTiles) { window.allTiles = performance.now(); observer.disconnect(); }
            }).observe(document, { childList: true, subtree: true });
            const frame = window.requestAnimationFrame.bind(window);
            window.requestAnimationFrame = (call) => frame((time) => {
              const start = performance.now();
              call(time);
              queueMicrotask(() => frames.push(performance.now() - start));
            });
            let ahead = 0;
            const now = Date.now;
            Date.now = () => now() + ahead;
            window.tellAll = async (count, seconds) => {
              const stream = window.told;
              const ids = [...document.getElementsByClassName("tile")].map((tile) => tile.dataset.id);
              for (let i = 0; i < count; i += 2000) {
                ahead += seconds * 1000 * 2000 / count;
                let text = "";
                for (let j = i; j < i + 2000; j++) {
                  const state = { connection: "online", status: "printing", job: { percent: j / 1000 %% 100, remainingSeconds: j %% 9000, currentLayer: j %% 300, totalLayers: 300, fileName: "a.gcode" },
                    temperatures: { nozzle: { actual: 215 + j %% 7, target: 220 }, bed: { actual: 60, target: 60 } }, filamentSlots: [], errors: [], at: new Date(Date.now()).toISOString() };
                  text += `id: ${j}\\nevent: printerState\\ndata: ${JSON.stringify({ printerId: ids[j %% ids.length], state })}\\n\\n`;
                }
                stream.enqueue(new TextEncoder().encode(text));
                await new Promise((done) => setTimeout(done, 20));
              }
              await new Promise((done) => setTimeout(done, 2000));
            };
            const asked = window.fetch.bind(window);
            window.fetch = async (path, more) => path !== "/v1/stream" || !sessionStorage.getItem("instead") ? asked(path, more)
              : new Response(new ReadableStream({ start(each) { window.told = each; each.enqueue(new TextEncoder().encode(": here\\n\\n")); } }));
            Object.defineProperty(window, "instead", { set: () => sessionStorage.setItem("instead", "yes") });
            """.formatted(PRINTERS);
}
