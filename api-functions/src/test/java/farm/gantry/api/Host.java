package farm.gantry.api;

/** A way to reach the API: a socket, or a Lambda function. */
@FunctionalInterface
public interface Host {
    Answer send(Call call) throws Exception;
}
