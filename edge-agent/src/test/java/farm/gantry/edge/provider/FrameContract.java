package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of status parsers: changed messages neither fail the session nor yield a status that cannot be reported.
 * With {@code JAZZER_FUZZ=1} in the environment, a fuzzer searches for counterexamples.
 */
public interface FrameContract {
    int TRIALS = 3_000;

    /** Replacement values: other types, and limits of numbers, texts and lists. */
    List<Object> ODD = List.of(
            "",
            " ",
            "/",
            "\u0000",
            "9".repeat(400),
            "printing",
            "gantry-.gcode.3mf",
            0,
            -1,
            1,
            255,
            65_535,
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            -0.0,
            1e308,
            Double.MIN_VALUE,
            true,
            false,
            List.of(),
            List.of(List.of(), 1, "x", Map.of()),
            Map.of(),
            Map.of("", 1));

    /** Returns the messages of the printer in order, from idle to the end of a print. */
    List<String> frames();

    /** Parses the frames as one session does. */
    List<PrinterStatus> read(List<Map<String, Object>> frames) throws Refusal;

    @Test
    default void unchangedFramesAreParsedToTheEndOfAPrint() throws Exception {
        assertThat(read(parsed())).anyMatch(reading -> reading.ending() == PrinterStatus.Ending.COMPLETED);
    }

    @Test
    default void randomlyChangedFramesAreParsed() throws Exception {
        for (int seed = 0; seed < TRIALS; seed++) {
            Random random = new Random(seed);
            try {
                readChanged(random::nextInt);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Tag("fuzz")
    @FuzzTest(maxDuration = "1m")
    default void fuzzedFramesAreParsed(FuzzedDataProvider data) throws Exception {
        readChanged(bound -> data.consumeInt(0, bound - 1));
    }

    private void readChanged(IntUnaryOperator choice) throws Exception {
        List<Map<String, Object>> frames = new ArrayList<>();
        for (Map<String, Object> frame : parsed()) {
            switch (choice.applyAsInt(6)) {
                case 0 -> {} // lost
                case 1 -> {
                    frames.add(frame);
                    frames.add(frame);
                }
                default -> frames.add(object(changed(frame, choice)));
            }
        }
        if (choice.applyAsInt(4) == 0 && !frames.isEmpty()) {
            Collections.swap(frames, 0, frames.size() - 1);
        }
        try {
            for (PrinterStatus reading : read(frames)) {
                Json.tree(Json.write(Map.of(
                        "heaters",
                        reading.temperatures(),
                        "slots",
                        reading.filamentSlots(),
                        "faults",
                        reading.errors())));
                if (reading.file() != null) {
                    assertThat(reading.file().percent()).isBetween(0.0, 100.0);
                }
            }
        } catch (Refusal expected) {
            // The parser may refuse a frame.
        }
    }

    private List<Map<String, Object>> parsed() throws Exception {
        List<Map<String, Object>> parsed = new ArrayList<>();
        for (String frame : frames()) {
            parsed.add(object(Json.tree(frame)));
        }
        return parsed;
    }

    @SuppressWarnings("unchecked") // JSON objects have names
    private static Map<String, Object> object(@Nullable Object tree) {
        return tree instanceof Map<?, ?> map ? (Map<String, Object>) map : new LinkedHashMap<>();
    }

    /** Replaces about one value in sixteen. */
    private static @Nullable Object changed(@Nullable Object tree, IntUnaryOperator choice) {
        int what = choice.applyAsInt(16);
        if (what == 0) {
            int which = choice.applyAsInt(ODD.size() + 1);
            return which == ODD.size() ? null : ODD.get(which);
        }
        return switch (tree) {
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> members = new LinkedHashMap<>();
                map.forEach((name, value) -> members.put(name, changed(value, choice)));
                yield members;
            }
            case List<?> list -> {
                List<@Nullable Object> values = new ArrayList<>();
                list.forEach(value -> values.add(changed(value, choice)));
                yield values;
            }
            case null, default -> tree;
        };
    }
}
