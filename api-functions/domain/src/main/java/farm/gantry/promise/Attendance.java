package farm.gantry.promise;

import java.time.DayOfWeek;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The half hours of the week, in the store's time zone, in which the attendance learned from bed confirmations differs from the store's
 * settings.
 */
final class Attendance {
    static final int SLOT_MINUTES = 30;
    static final int SLOTS_OF_DAY = 24 * 60 / SLOT_MINUTES;
    static final int SLOTS_OF_WEEK = 7 * SLOTS_OF_DAY;

    /** No difference from the settings. */
    static final Attendance UNKNOWN = new Attendance(new BitSet(), new BitSet());

    private final BitSet attended;
    private final BitSet unattended;

    Attendance(BitSet attended, BitSet unattended) {
        this.attended = (BitSet) attended.clone();
        this.unattended = (BitSet) unattended.clone();
    }

    static int slot(DayOfWeek day, int slotOfDay) {
        return (day.getValue() - 1) * SLOTS_OF_DAY + slotOfDay;
    }

    /** Returns whether there is no difference from the settings. */
    boolean isUnknown() {
        return attended.isEmpty() && unattended.isEmpty();
    }

    /** Returns whether somebody is at the farm in the half hour of the week; null if the settings apply. */
    @Nullable
    Boolean isAttended(int slot) {
        return attended.get(slot) ? Boolean.TRUE : unattended.get(slot) ? Boolean.FALSE : null;
    }
}
