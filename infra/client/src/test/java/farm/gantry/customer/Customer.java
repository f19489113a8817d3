package farm.gantry.customer;

import farm.gantry.client.ApiClient;
import farm.gantry.client.ApiException;
import farm.gantry.client.BuildsApi;
import farm.gantry.client.PartsApi;
import farm.gantry.client.PrintJobsApi;
import farm.gantry.client.StorageApi;
import farm.gantry.client.model.BuildRequest;
import farm.gantry.client.model.BuildRequestRequestedPart;
import farm.gantry.client.model.PartInsert;
import farm.gantry.client.model.SearchRequest;
import farm.gantry.client.model.StorageUploadRequest;
import farm.gantry.client.model.StorageUploadUrl;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Uploads a file, prints it, and verifies the deliveries that the test passes on the standard input. */
final class Customer {
    private static final Set<String> ENDED = Set.of("Completed", "Failed", "Cancelled");
    private static final int MAX_AGE_SECONDS = 300;

    private final ApiClient client = new ApiClient();

    private Customer() {
        client.updateBaseUri(variable("URL"));
        client.setRequestInterceptor(request ->
                request.setHeader("Authorization", "ApiKey " + variable("KEY")).setHeader("Prefer", "handling=strict"));
    }

    private static String variable(String name) {
        return Objects.requireNonNull(System.getenv(name), name);
    }

    private String print() throws ApiException, IOException, InterruptedException {
        StorageUploadUrl upload = new StorageApi(client)
                .storageSignedUploadUrls(StorageApi.APIStorageSignedUploadUrlsRequest.newBuilder()
                        .storageUploadRequest(new StorageUploadRequest().addFilenamesItem("customer.gcode"))
                        .build())
                .getSignedUrls()
                .getFirst();
        try (HttpClient http = HttpClient.newHttpClient()) {
            http.send(
                    HttpRequest.newBuilder(URI.create(upload.getUploadUrl()))
                            .PUT(HttpRequest.BodyPublishers.ofFile(Path.of(variable("FILE"))))
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
        }
        PartsApi parts = new PartsApi(client);
        String part = parts.createPart(PartsApi.APICreatePartRequest.newBuilder()
                        .partInsert(new PartInsert()
                                .name("Customer's part")
                                .type(PartInsert.TypeEnum.GCODE)
                                .addFileUrisItem(upload.getPath()))
                        .build())
                .getId();
        var read = PartsApi.APIGetPartRequest.newBuilder().id(part).build();
        while (parts.getPart(read).getProcessingStatus() != null) {
            TimeUnit.SECONDS.sleep(1);
        }
        String build = new BuildsApi(client)
                .createBuildV2(BuildsApi.APICreateBuildV2Request.newBuilder()
                        .buildRequest(new BuildRequest()
                                .addPartsItem(new BuildRequestRequestedPart()
                                        .partId(part)
                                        .quantity(1)))
                        .build())
                .getPartBuilds()
                .getFirst()
                .getId();
        return follow(build);
    }

    private String follow(String build) throws ApiException, InterruptedException {
        PrintJobsApi jobs = new PrintJobsApi(client);
        String job = jobs.searchPrintJobs(PrintJobsApi.APISearchPrintJobsRequest.newBuilder()
                        .searchRequest(new SearchRequest().putFilterItem("partBuildId", build))
                        .build())
                .getData()
                .getFirst()
                .getId();
        var one = PrintJobsApi.APIGetPrintJobRequest.newBuilder().id(job).build();
        String status = String.valueOf(jobs.getPrintJob(one).getStatus());
        while (!ENDED.contains(status)) {
            TimeUnit.SECONDS.sleep(1);
            status = String.valueOf(jobs.getPrintJob(one).getStatus());
        }
        return status;
    }

    private static boolean isGenuine(byte[] secret, Map<?, ?> delivery) throws GeneralSecurityException {
        String timestamp = String.valueOf(delivery.get("timestamp"));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        String signed = delivery.get("id") + "." + timestamp + "." + delivery.get("body");
        String expected =
                "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        return Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) < MAX_AGE_SECONDS
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8),
                        String.valueOf(delivery.get("signature")).getBytes(StandardCharsets.UTF_8));
    }

    @SuppressWarnings("SystemOut") // a program for the shell
    public static void main(String[] arguments) throws Exception {
        Customer customer = new Customer();
        byte[] secret = Base64.getDecoder().decode(variable("SECRET").replace("whsec_", ""));
        System.out.println(customer.print());
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                Map<?, ?> delivery = ApiClient.createDefaultObjectMapper().readValue(line, Map.class);
                System.out.println(isGenuine(secret, delivery) ? "genuine" : "forged");
            }
        }
    }
}
