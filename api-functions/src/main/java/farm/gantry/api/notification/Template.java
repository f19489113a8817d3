package farm.gantry.api.notification;

import farm.gantry.api.notification.Message.Severity;
import farm.gantry.notification.EventName;

/**
 * The title, sentence and severity of the messages about an event. A sentence contains placeholders for the names of the
 * printer, part, order, spool and agent; that of {@code { on printer}} is left out for an event without a printer.
 */
record Template(String title, String sentence, Severity severity) {
    static Template of(EventName event) {
        return switch (event) {
            case onJobStarted -> info("Print started", "{printer} started to print {part}.");
            case onJobSucceeded -> info("Print completed", "{printer} completed {part}.");
            case onJobPaused -> warning("Print paused", "{part} is paused{ on printer}.");
            case onJobFailed -> error("Print failed", "{part} failed{ on printer}.");
            case onJobCancelled -> info("Print cancelled", "{part} was cancelled.");
            case onJobRetried -> info("Print will be repeated", "A new job replaces the failed print of {part}.");
            case onPrinterOnline -> info("Printer online", "{printer} is reachable again.");
            case onPrinterOffline -> warning("Printer offline", "{printer} is unreachable.");
            case onPrinterHmsError -> error("Printer error", "{printer} reports an error.");
            case onPrinterHmsWarning -> warning("Printer warning", "{printer} reports a warning.");
            case onPrinterContinuousPrintDisabled ->
                warning("Continuous printing switched off", "Continuous printing of {printer} was switched off.");
            case onPrinterQuarantined -> error("Printer in quarantine", "{printer} gets no more jobs.");
            case onMaintenanceModeOn -> info("Maintenance started", "{printer} is in maintenance.");
            case onMaintenanceModeOff -> info("Maintenance ended", "{printer} is no longer in maintenance.");
            case onMaterialUsageRecorded ->
                info("Filament deducted", "The filament of {part} was deducted from its spools{ on printer}.");
            case onPartProcessed -> info("Part ready", "{part} can be printed.");
            case onPartProcessingFailed -> error("Part unreadable", "The file of {part} could not be read.");
            case onPartHeld -> warning("Part on hold", "{part} is on hold after failures.");
            case onQueuePaused -> error("Queue paused", "The queue was paused after failures.");
            case onOrderCreatedManual -> info("New order", "Order {order} was created.");
            case onOrderCreatedRetail -> info("New order from a shop", "Order {order} was received from a shop.");
            case onOrdersAutoPrinted -> info("Order queued", "The jobs of order {order} were queued automatically.");
            case onOrderClosed -> info("Order closed", "Order {order} was closed.");
            case onOrderCancelled -> warning("Order cancelled", "Order {order} was cancelled.");
            case onOrderLate -> warning("Order late", "Order {order} is likely to miss its deadline.");
            case onOrderOnTime -> info("Order on time", "Order {order} is likely to meet its deadline again.");
            case onBedNeedsClearing ->
                warning("Bed needs clearing", "{printer} gets no jobs until a person confirms that its bed is clear.");
            case onFilamentLow -> warning("Filament low", "{spool}{ on printer} is nearly used up.");
            case onFilamentRunOut -> warning("Filament used up", "{spool}{ on printer} is used up.");
            case onAgentOffline -> error("Agent offline", "{agent} is unreachable, and its printers with it.");
            case onBackupFailed -> warning("Backup failed", "The backup of the farm failed and will be tried again.");
        };
    }

    private static Template info(String title, String sentence) {
        return new Template(title, sentence, Severity.info);
    }

    private static Template warning(String title, String sentence) {
        return new Template(title, sentence, Severity.warning);
    }

    private static Template error(String title, String sentence) {
        return new Template(title, sentence, Severity.error);
    }
}
