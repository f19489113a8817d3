package farm.gantry.ingest.cad;

/** A STEP file says something that is not understood here; other readers may understand it. */
final class StepException extends Exception {
    StepException(String message) {
        super(message);
    }
}
