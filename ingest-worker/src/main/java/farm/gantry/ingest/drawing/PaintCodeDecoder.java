package farm.gantry.ingest.drawing;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a slicer's paint on a triangle: a tree of subdivisions in hex digits, written from its end. A leaf
 * holds a filament that counts from 1, or 0 where nothing was painted.
 */
final class PaintCodeDecoder {
    private static final int FILAMENTS = 64;
    private static final int MAX_DEPTH = 24;
    private static final int EXTENDED = 3;

    private PaintCodeDecoder() {}

    /** Returns the filament that covers the largest part of the triangle, or 0 if it is not painted. */
    static int dominantFilament(@Nullable String code) {
        if (code == null) {
            return 0;
        }
        double[] share = new double[FILAMENTS];
        addShares(code, new AtomicInteger(code.length()), 1, 0, share);
        int most = 0;
        for (int filament = 1; filament < FILAMENTS; filament++) {
            if (share[filament] > share[most]) {
                most = filament;
            }
        }
        return most;
    }

    /** All filaments that the triangle is painted with. */
    static Set<Integer> filaments(@Nullable String code) {
        Set<Integer> filaments = new TreeSet<>();
        if (code != null) {
            double[] share = new double[FILAMENTS];
            addShares(code, new AtomicInteger(code.length()), 1, 0, share);
            for (int filament = 1; filament < FILAMENTS; filament++) {
                if (share[filament] > 0) {
                    filaments.add(filament);
                }
            }
        }
        return filaments;
    }

    private static void addShares(String code, AtomicInteger at, double part, int depth, double[] share) {
        int half = nextDigit(code, at);
        int sides = half & 3;
        if (sides == 0) {
            int state = half >> 2;
            int filament = state == EXTENDED ? EXTENDED + nextDigit(code, at) : state;
            share[Math.min(filament, FILAMENTS - 1)] += part;
        } else if (depth < MAX_DEPTH) {
            for (int child = 0; child <= sides; child++) {
                addShares(code, at, part / (sides + 1), depth + 1, share);
            }
        }
    }

    /** Missing digits count as not painted. */
    private static int nextDigit(String code, AtomicInteger at) {
        return at.get() == 0 ? 0 : Math.max(0, Character.digit(code.charAt(at.decrementAndGet()), 16));
    }
}
