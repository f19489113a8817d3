package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Merged;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A printer. {@code isOnline}, {@code isAvailable} and {@code printingJobId} follow its live state; values that change faster, such as
 * temperatures and progress, are in {@link PrinterState}. {@code hourlyRate} is in cents; null means the store's rate. While {@code
 * quarantinedAt} is set, the printer gets no jobs until a person releases it.
 */
@Serdeable
@Resource(table = "printer", view = Permission.PRINTER_VIEW)
@Example("""
        {
          "name": "Shelf 3, left", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "trident-07",
          "metadata": {"provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4, "server_port": 7125, "host": "10.0.0.7"}
        }""")
public record Printer(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @Nullable String modelName,
        @NotBlank String nozzleDiameter,
        @SystemSet @Nullable BedSize bedSize,
        @SystemSet @Nullable PrintableArea printableArea,
        @Nullable CommMethod commMethod,
        @Nullable @NotBlank @Size(max = 500) String deviceId,
        @Default("true") boolean enabled,
        @SystemSet @Default("false") boolean confirmedReady,
        @SystemSet @Default("false") boolean continuousPrint,
        @SystemSet @Nullable Integer continuousRemainingJobs,

        @References(value = "integration", onDelete = References.OnDelete.SET_NULL)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String integrationId,

        @Nullable IntegrationType integrationType,
        @Computed @SystemSet boolean isAvailable,
        @SystemSet @Default("false") boolean isOnline,
        @SystemSet @Default("false") boolean isInMaintenance,
        @SystemSet @Nullable Instant lastMaintenanceOfflineAt,
        @SystemSet @Nullable Instant lastMaintenanceOnlineAt,
        @SystemSet @Nullable Instant lastPrintedAt,
        @SystemSet @Default("0") int lifetimeJobCount,
        @SystemSet @Default("0") double lifetimePrintHours,
        @Nullable Long machineSystemProfileId,

        @References(value = "profile", type = "machine") @Nullable @Pattern(regexp = Id.PATTERN)
        String machineUserProfileId,

        @Nullable @Valid PrinterMetadata metadata,

        @Default("{}") Map<String, Object> customMetadata,
        @Merged @Nullable Map<String, Object> printerAdapterBindingsPatch,
        @Merged @Nullable Map<String, Object> printerCapabilityPatch,
        @SystemSet @Nullable Map<String, Object> providerConfig,

        @References(value = "profile", type = "process") @Nullable @Pattern(regexp = Id.PATTERN)
        String processUserProfileId,

        @Nullable Long processSystemProfileId,

        @References(value = "agent", as = "agent", onDelete = References.OnDelete.SET_NULL)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String proxyClientId,

        @Default("[]") List<@NotBlank @Size(max = 500) String> tags,

        @References(value = "printJob", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String printingJobId,

        @Nullable String vendorName,
        @Nullable Long vendorModelId,
        @Nullable Provider provider,

        @References(value = "printerThrottleGroup", inverse = "printers", onDelete = References.OnDelete.SET_NULL)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String throttleGroupId,

        @Nullable @PositiveOrZero Double hourlyRate,
        @SystemSet @Nullable Instant quarantinedAt,
        @SystemSet @Nullable String quarantineReason) {

    /** The provider of a printer, which determines the protocol that the agent uses. */
    @Serdeable
    public enum Provider {
        vendorA(ProviderDefinition.of(PrinterMetadata.VendorA.class)
                .withCommands("setNozzleTemperature", "setBedTemperature", "setFan", "setLight", "selectTool")
                .withProviderConfig(Map.of("use_ams", true, "bed_type", "auto"))
                .withArchivesOf("Bambu Lab")),
        vendorB(ProviderDefinition.of(PrinterMetadata.VendorB.class)),
        vendorP(ProviderDefinition.of(PrinterMetadata.VendorP.class)),
        firmwareK(ProviderDefinition.of(PrinterMetadata.FirmwareK.class)
                .withCommands(
                        "setNozzleTemperature",
                        "setBedTemperature",
                        "setChamberTemperature",
                        "setFan",
                        "setLight",
                        "selectTool")
                .withModules()),
        sdcp(ProviderDefinition.of(PrinterMetadata.Sdcp.class)),
        @JsonProperty("elegoo-mqtt")
        ELEGOO_MQTT(ProviderDefinition.of(PrinterMetadata.ElegooMqtt.class)),
        anycubic(ProviderDefinition.of(PrinterMetadata.Anycubic.class));

        /** The provider of a printer whose metadata names none. */
        public static final Provider DEFAULT = vendorA;

        /** Provider definitions by JSON name. */
        public static final Map<String, ProviderDefinition> MAKES =
                Stream.of(values()).collect(Collectors.toUnmodifiableMap(Provider::wireName, Provider::make));

        @SuppressWarnings("ImmutableEnumChecker") // all definitions below consist of immutable sets and maps
        private final ProviderDefinition make;

        private final String wireName;

        Provider(ProviderDefinition make) {
            this.make = make;
            this.wireName = make.token();
        }

        public ProviderDefinition make() {
            return make;
        }

        public String wireName() {
            return wireName;
        }
    }

    /** The kind of connection; {@code fuse}, the edge agent, is the only one that is supported. */
    @Serdeable
    public enum CommMethod {
        @JsonProperty("vendorA-global-mqtt")
        VENDOR_A_GLOBAL_MQTT,
        @JsonProperty("vendorA-cloud-v2")
        VENDOR_A_CLOUD_V2,
        @JsonProperty("vendorB-mqtt")
        VENDOR_B_MQTT,
        fuse
    }

    @Serdeable
    public enum IntegrationType {
        @JsonProperty("vendorA-lab")
        VENDOR_A_LAB,
        market1,
        market2,
        market3,
        market4,
        market5,
        storage1,
        storage2
    }
}
