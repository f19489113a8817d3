package farm.gantry.ingest.cad;

/** The STEP file has a construct that this reader does not support; other readers may. */
final class UnsupportedStepException extends Exception {
    UnsupportedStepException(String message) {
        super(message);
    }
}
