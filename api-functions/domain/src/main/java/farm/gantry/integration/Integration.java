package farm.gantry.integration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Default;
import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.Encrypted;
import farm.gantry.Secret;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A market, a shipper, a drive or a maker's cloud. {@code secret} signs what it sends here; the one before is taken until
 * {@code previousSecretExpiresAt}.
 */
@Serdeable
@Resource(
        table = "integration",
        view = Permission.INTEGRATION_VIEW,
        change = Permission.INTEGRATION_MANAGE,
        secrets = Permission.INTEGRATION_MANAGE)
public record Integration(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        Type type,
        @Nullable String externalId,
        @NotBlank String name,
        @Default("{}") @Valid @Encrypted("apiKey") Settings settings,
        @SystemSet @Secret String secret,
        @SystemSet @Nullable Instant previousSecretExpiresAt) {

    @Serdeable
    public enum Type {
        market1,
        market2,
        market3,
        market4,
        market5,
        market6,
        shipping1,
        storage1,
        storage2,
        @JsonProperty("vendorA-lab")
        VENDOR_A_LAB
    }

    /**
     * {@code autoPrint} queues its orders as they come, {@code autoCloseOrders} closes those that are printed. {@code account}
     * and {@code apiKey} are what the farm has at the service.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Settings(
            @Nullable Boolean autoPrint,
            @Nullable Boolean autoCloseOrders,
            @Nullable @Size(max = 500) String account,
            @Nullable @Size(max = 2000) String apiKey) {}
}
