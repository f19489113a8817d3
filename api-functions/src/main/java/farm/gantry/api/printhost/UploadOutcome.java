package farm.gantry.api.printhost;

import farm.gantry.api.builds.LikelyFinish;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.Printer;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;

/** The result of an upload, in a sentence for people; {@code isPrint} says whether a print was asked for. */
record UploadOutcome(boolean isPrint, String text) {
    static final UploadOutcome STORED = new UploadOutcome(false, "Added to the library.");
    static final UploadOutcome QUEUED = new UploadOutcome(true, "Queued for printing.");
    static final UploadOutcome WAITING_FOR_APPROVAL =
            new UploadOutcome(true, "Queued for printing. It is waiting for approval.");
    static final UploadOutcome QUEUED_WHEN_READ =
            new UploadOutcome(true, "Added to the library. The print is queued when the file has been read.");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("'at' HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("'on' d MMMM 'at' HH:mm", Locale.ENGLISH);

    /** Returns the result of a queued print, with the model of its printer, or the name if the print is for this printer alone. */
    static UploadOutcome queued(LikelyFinish finish, PrintTags tags) {
        ZonedDateTime at = finish.at();
        Printer printer = finish.printer();
        boolean isToday = at.toLocalDate().equals(LocalDate.now(at.getZone()));
        String place = tags.printerId() == null
                ? Objects.requireNonNullElse(printer.modelName(), printer.name())
                : printer.name();
        return new UploadOutcome(
                true,
                QUEUED.text() + " It will likely be done " + (isToday ? TIME : DAY).format(at) + " on " + place + ".");
    }
}
