package farm.gantry.integration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Encrypted;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.Secret;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An integration with an external service: a marketplace, a shipper, a drive or a printer maker's cloud. {@code secret} verifies the
 * signature of its requests; the previous secret is accepted until {@code previousSecretExpiresAt}.
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
     * The settings of an integration. {@code autoPrint} queues the jobs of its orders when they arrive; {@code autoCloseOrders} closes
     * orders whose items are printed. {@code account} and {@code apiKey} are the store's credentials at the service.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Settings(
            @Nullable Boolean autoPrint,
            @Nullable Boolean autoCloseOrders,
            @Nullable @Size(max = 500) String account,
            @Nullable @Size(max = 2000) String apiKey) {}
}
