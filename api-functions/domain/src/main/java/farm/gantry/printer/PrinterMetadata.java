package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/** How one make of printer is reached and built, selected by {@code provider}; without one it is {@code vendorA}. */
@Serdeable
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "provider", defaultImpl = PrinterMetadata.VendorA.class)
@JsonSubTypes({
    @JsonSubTypes.Type(value = PrinterMetadata.VendorA.class, name = "vendorA"),
    @JsonSubTypes.Type(value = PrinterMetadata.FirmwareK.class, name = "firmwareK"),
    @JsonSubTypes.Type(value = PrinterMetadata.VendorP.class, name = "vendorP"),
    @JsonSubTypes.Type(value = PrinterMetadata.Sdcp.class, name = "sdcp"),
    @JsonSubTypes.Type(value = PrinterMetadata.VendorB.class, name = "vendorB"),
    @JsonSubTypes.Type(value = PrinterMetadata.ElegooMqtt.class, name = "elegoo-mqtt"),
    @JsonSubTypes.Type(value = PrinterMetadata.Anycubic.class, name = "anycubic"),
})
public sealed interface PrinterMetadata {
    @Nullable
    String host();

    /** Where the printer is; null or blank where that was not told, and it is to be looked for. */
    default @Nullable String address() {
        return host();
    }

    /** What the printer calls itself, where that is told beside its {@code deviceId}. */
    default @Nullable String serial() {
        return null;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record VendorA(
            @JsonProperty("dev_access_code") String devAccessCode,
            @JsonProperty("dev_id") String devId,
            @JsonProperty("dev_model_name") String devModelName,
            @JsonProperty("dev_product_name") String devProductName,
            String name,
            @JsonProperty("nozzle_diameter") double nozzleDiameter,
            boolean online,
            @JsonProperty("print_status") String printStatus,
            @Nullable String host,
            @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {

        @Override
        public String serial() {
            return devId;
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FirmwareK(
            @JsonProperty("extruder_count") int extruderCount,
            @JsonProperty("nozzle_diameter") double nozzleDiameter,
            @JsonProperty("server_port") @Min(1) @Max(65535) int serverPort,
            @JsonProperty("server_host") @Nullable String serverHost,
            @JsonProperty("api_key") @Nullable String apiKey,
            @Nullable String kinematics,
            @JsonProperty("max_accel") @Nullable Double maxAccel,
            @JsonProperty("max_velocity") @Nullable Double maxVelocity,
            @JsonProperty("mmu_slots") @Nullable Integer mmuSlots,
            @JsonProperty("mmu_type") @Nullable MmuType mmuType,
            @Nullable String host,
            @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {

        /** The printer's own {@code host} wins over what is said of its server. */
        @Override
        public @Nullable String address() {
            return host == null || host.isBlank() ? serverHost : host;
        }

        @Serdeable
        public enum MmuType {
            none,
            ercf,
            mmu,
            toolchanger
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record VendorP(
            @JsonProperty("nozzle_diameter") double nozzleDiameter,
            String password,
            @JsonProperty("poll_interval_ms") @Nullable Integer pollIntervalMs,
            @Nullable String host,
            @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Sdcp(
            @JsonProperty("nozzle_diameter") double nozzleDiameter,
            @JsonProperty("mainboard_id") @Nullable String mainboardId,
            @Nullable String host,
            @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {

        @Override
        public @Nullable String serial() {
            return mainboardId;
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record VendorB(
            @JsonProperty("api_key") String apiKey,
            String host,
            @Min(1) @Max(65535) int port,
            @JsonProperty("nozzle_diameter") @Nullable Double nozzleDiameter,
            @JsonProperty("poll_interval_ms") @Nullable Integer pollIntervalMs,
            @JsonProperty("use_https") @Nullable Boolean useHttps)
            implements PrinterMetadata {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ElegooMqtt(
            @JsonProperty("nozzle_diameter") @Nullable Double nozzleDiameter,
            @JsonProperty("access_code") @Nullable String accessCode,
            @Nullable String host,
            @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Anycubic(
            @JsonProperty("nozzle_diameter") @Nullable Double nozzleDiameter,
            @Nullable String host,
            @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {}
}
