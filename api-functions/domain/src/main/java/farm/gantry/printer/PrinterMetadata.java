package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import farm.gantry.annotation.Destination;
import farm.gantry.annotation.Encrypted;
import farm.gantry.annotation.Format;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The connection and hardware of a printer, by {@code provider}; the default is {@code vendorA}. */
@Serdeable
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "provider", defaultImpl = PrinterMetadata.VendorA.class)
public sealed interface PrinterMetadata {
    @Nullable
    String host();

    /** Returns the printer's address; null or blank if it must be discovered. */
    default @Nullable String address() {
        return host();
    }

    /** Returns the printer's serial number, if it is stored in addition to its {@code deviceId}. */
    default @Nullable String serial() {
        return null;
    }

    /** Returns the configured number of extruders, by default 1. */
    default int extruders() {
        return 1;
    }

    /** Returns the JSON name of the provider that the metadata is for. */
    default String make() {
        return getClass().getAnnotation(JsonTypeName.class).value();
    }

    /** Returns the non-null values of its {@link Encrypted} components. */
    @SuppressWarnings("unchecked") // every implementation is a record of this sealed interface
    default List<String> secrets() {
        return BeanIntrospection.getIntrospection((Class<PrinterMetadata>) getClass()).getBeanProperties().stream()
                .filter(property -> property.hasAnnotation(Encrypted.class))
                .map(property -> property.get(this))
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
    }

    @Serdeable
    @JsonTypeName("vendorA")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record VendorA(
            @Encrypted @JsonProperty("dev_access_code") String devAccessCode,
            @Destination @JsonProperty("dev_id") String devId,
            @JsonProperty("dev_model_name") String devModelName,
            @JsonProperty("dev_product_name") String devProductName,
            String name,
            @JsonProperty("nozzle_diameter") double nozzleDiameter,
            boolean online,
            @JsonProperty("print_status") String printStatus,

            @Destination @Nullable @Format(Format.Kind.PRINTER_HOST)
            String host,

            @Destination @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {

        @Override
        public String serial() {
            return devId;
        }
    }

    @Serdeable
    @JsonTypeName("firmwareK")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FirmwareK(
            @JsonProperty("extruder_count") int extruderCount,
            @JsonProperty("nozzle_diameter") double nozzleDiameter,

            @Destination @JsonProperty("server_port") @Min(1) @Max(65535)
            int serverPort,

            @Destination @JsonProperty("server_host") @Nullable @Format(Format.Kind.PRINTER_HOST)
            String serverHost,

            @Encrypted @JsonProperty("api_key") @Nullable String apiKey,
            @Nullable String kinematics,
            @JsonProperty("max_accel") @Nullable Double maxAccel,
            @JsonProperty("max_velocity") @Nullable Double maxVelocity,
            @JsonProperty("mmu_slots") @Nullable Integer mmuSlots,
            @JsonProperty("mmu_type") @Nullable MmuType mmuType,

            @Destination @Nullable @Format(Format.Kind.PRINTER_HOST)
            String host,

            @Destination @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {

        /** Returns the printer's own {@code host}, else the address of its server. */
        @Override
        public @Nullable String address() {
            return host == null || host.isBlank() ? serverHost : host;
        }

        @Override
        public int extruders() {
            return extruderCount;
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
    @JsonTypeName("vendorP")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record VendorP(
            @JsonProperty("nozzle_diameter") double nozzleDiameter,
            @Encrypted String password,
            @JsonProperty("poll_interval_ms") @Nullable Integer pollIntervalMs,

            @Destination @Nullable @Format(Format.Kind.PRINTER_HOST)
            String host,

            @Destination @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {}

    @Serdeable
    @JsonTypeName("sdcp")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Sdcp(
            @JsonProperty("nozzle_diameter") double nozzleDiameter,

            @Destination @JsonProperty("mainboard_id") @Nullable
            String mainboardId,

            @Destination @Nullable @Format(Format.Kind.PRINTER_HOST)
            String host,

            @Destination @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {

        @Override
        public @Nullable String serial() {
            return mainboardId;
        }
    }

    @Serdeable
    @JsonTypeName("vendorB")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record VendorB(
            @Encrypted @JsonProperty("api_key") String apiKey,
            @Destination @Format(Format.Kind.PRINTER_HOST) String host,
            @Destination @Min(1) @Max(65535) int port,
            @JsonProperty("nozzle_diameter") @Nullable Double nozzleDiameter,
            @JsonProperty("poll_interval_ms") @Nullable Integer pollIntervalMs,

            @Destination @JsonProperty("use_https") @Nullable
            Boolean useHttps)
            implements PrinterMetadata {}

    @Serdeable
    @JsonTypeName("elegoo-mqtt")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ElegooMqtt(
            @JsonProperty("nozzle_diameter") @Nullable Double nozzleDiameter,

            @Encrypted @JsonProperty("access_code") @Nullable
            String accessCode,

            @Destination @Nullable @Format(Format.Kind.PRINTER_HOST)
            String host,

            @Destination @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {}

    @Serdeable
    @JsonTypeName("anycubic")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Anycubic(
            @JsonProperty("nozzle_diameter") @Nullable Double nozzleDiameter,

            @Destination @Nullable @Format(Format.Kind.PRINTER_HOST)
            String host,

            @Destination @Nullable @Min(1) @Max(65535) Integer port)
            implements PrinterMetadata {}
}
