package farm.gantry.order;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A customer; {@code externalId} is the id in the integration, {@code countryCode} a code of two letters (ISO 3166-1). */
@Serdeable
@Resource(table = "customer", view = Permission.ORDER_VIEW)
public record Customer(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @Default("\"\"") @Size(max = 500) String name,
        @Nullable @Size(max = 500) String email,
        @Nullable String phone,
        @Nullable String address,

        @Nullable @Pattern(regexp = "[A-Z]{2}", message = "must be a country code of two capital letters, such as DE")
        String countryCode,

        @Nullable @Size(max = 500) String externalId,

        @References(value = "integration", onDelete = References.OnDelete.SET_NULL)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String integrationId,

        @Nullable String note,
        @Default("{}") Map<String, Object> customMetadata) {

    /** Returns this customer with the id and the integration of the given record. */
    public Customer withIdentityOf(Customer other) {
        return RecordBuilder.copyOf(this)
                .with(Customer::externalId, other.externalId())
                .with(Customer::integrationId, other.integrationId())
                .build();
    }
}
