package farm.gantry.notification;

import io.micronaut.serde.annotation.Serdeable;

/** The events that a store can subscribe to. */
@Serdeable
public enum EventName {
    onJobStarted,
    onJobSucceeded,
    onJobFailed,
    onJobCancelled,
    onPrinterOnline,
    onPrinterOffline,
    onPrinterHmsError,
    onPrinterHmsWarning,
    onPrinterContinuousPrintDisabled,
    onOrderCreatedManual,
    onOrderCreatedRetail,
    onOrderCancelled,
    onOrderClosed,
    onOrdersAutoPrinted,
    onOrderLate,
    onOrderOnTime,
    onMaintenanceModeOn,
    onMaintenanceModeOff,
    onMaterialUsageRecorded,
    onJobRetried,
    onPrinterQuarantined,
    onPartHeld,
    onQueuePaused,
    onPartProcessed,
    onPartProcessingFailed,
    onBedNeedsClearing,
    onFilamentLow,
    onFilamentRunOut,
    onAgentOffline,
    onBackupFailed,
    onJobPaused
}
