package farm.gantry.api.deliver;

import farm.gantry.api.store.Tx;
import farm.gantry.notification.EventName;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Placeholder until the webhooks land. */
@Singleton
public final class Webhooks {
    public void emit(Tx tx, EventName event, @Nullable String printerId, @Nullable String jobId) {}
}
