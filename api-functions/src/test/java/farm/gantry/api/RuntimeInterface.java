package farm.gantry.api;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.api.main.HttpApiFunction;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Lambda's own runtime client in a JVM of its own, configured by its environment as on AWS; we play the service that
 * hands it events.
 */
final class RuntimeInterface implements Host, AutoCloseable {
    private static final Pattern LEFT_OUT =
            Pattern.compile(".*[/\\\\](hivemq|zonky|librepdf|locationtech|reactivex|jctools)[/\\\\].*");
    private static final String PATH = "/2018-06-01/runtime/";

    private final LinkedBlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
    private final Map<String, Invocation> running = new ConcurrentHashMap<>();
    private final HttpServer service;
    private final Process process;

    private record Invocation(String id, String event, CompletableFuture<byte[]> answer) {}

    RuntimeInterface() throws IOException {
        this(HttpApiFunction.class, Map.of(), List.of());
    }

    /** Of another function, with more of an environment, and options of its JVM. */
    RuntimeInterface(Class<?> function, Map<String, String> environment, List<String> options) throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        service.createContext(PATH, this::serve);
        service.start();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath()));
        command.addAll(options);
        command.addAll(List.of("com.amazonaws.services.lambda.runtime.api.client.AWSLambda", function.getName()));
        ProcessBuilder runtime = new ProcessBuilder(command);
        runtime.environment()
                .putAll(Map.of(
                        "AWS_LAMBDA_RUNTIME_API",
                        "127.0.0.1:" + service.getAddress().getPort(),
                        "AWS_LAMBDA_FUNCTION_NAME",
                        "api",
                        "AWS_LAMBDA_FUNCTION_VERSION",
                        "1",
                        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
                        "512",
                        "AWS_LAMBDA_LOG_GROUP_NAME",
                        "log",
                        "AWS_LAMBDA_LOG_STREAM_NAME",
                        "log",
                        "LAMBDA_TASK_ROOT",
                        System.getProperty("java.io.tmpdir"),
                        "DATASOURCES_DEFAULT_URL",
                        SharedApi.databaseUrl(),
                        "GANTRY_PEPPER",
                        SharedApi.PEPPER,
                        "GANTRY_SECRET_KEY",
                        SharedApi.SECRET_KEY));
        runtime.environment().put("GANTRY_FILES_FOLDER", System.getProperty("java.io.tmpdir"));
        runtime.environment().putAll(environment);
        process = runtime.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        Path.of("target", "lambda-runtime.log").toFile()))
                .start();
    }

    /** How long its process has worked, by the clocks of its processors. */
    Duration worked() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** Without what the function's zip leaves out. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(path -> !LEFT_OUT.matcher(path).matches())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(PATH.length());
        byte[] sent = exchange.getRequestBody().readAllBytes();
        try (exchange) {
            if (path.equals("invocation/next")) {
                Invocation next = waiting.take();
                running.put(next.id(), next);
                byte[] event = next.event().getBytes(StandardCharsets.UTF_8);
                Headers headers = exchange.getResponseHeaders();
                headers.set("Content-Type", "application/json");
                headers.set("Lambda-Runtime-Aws-Request-Id", next.id());
                headers.set("Lambda-Runtime-Deadline-Ms", Long.toString(System.currentTimeMillis() + 900_000));
                headers.set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:x:1:function:api");
                exchange.sendResponseHeaders(200, event.length);
                exchange.getResponseBody().write(event);
                return;
            }
            Invocation done = running.remove(path.replace("invocation/", "").replaceAll("/.*", ""));
            if (done != null && path.endsWith("/response")) {
                done.answer().complete(sent);
            } else if (done != null) {
                done.answer()
                        .completeExceptionally(new IllegalStateException(new String(sent, StandardCharsets.UTF_8)));
            }
            exchange.sendResponseHeaders(202, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Answer send(Call call) throws Exception {
        return HttpApiEvent.answer(invoke(new String(HttpApiEvent.of(call), StandardCharsets.UTF_8)));
    }

    /** What the function answers to an event. */
    byte[] invoke(String event) throws Exception {
        Invocation invocation = new Invocation(UUID.randomUUID().toString(), event, new CompletableFuture<>());
        waiting.add(invocation);
        Object first =
                CompletableFuture.anyOf(invocation.answer(), process.onExit()).get(5, TimeUnit.MINUTES);
        if (first instanceof byte[] answer) {
            return answer;
        }
        throw new IllegalStateException("the runtime ended: see target/lambda-runtime.log");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        service.stop(0);
    }
}
