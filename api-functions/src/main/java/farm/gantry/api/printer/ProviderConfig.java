package farm.gantry.api.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** Provider options that the agent gets with each print; unset options are omitted. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProviderConfig(
        @JsonProperty("use_ams") @Nullable Boolean useAms,
        @JsonProperty("do_bed_leveling") @Nullable Boolean doBedLeveling,
        @JsonProperty("do_flow_cali") @Nullable Boolean doFlowCali,
        @JsonProperty("bed_type") @Nullable String bedType,
        @JsonProperty("enable_timelapse") @Nullable Boolean enableTimelapse) {}
