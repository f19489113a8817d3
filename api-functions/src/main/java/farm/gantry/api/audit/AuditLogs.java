package farm.gantry.api.audit;

import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.audit.AuditLog;
import io.micronaut.http.annotation.Controller;

/** Audit log: who changed what, with which key and from which address. Written in the transaction of each change. */
@Controller("/v1/audit-logs")
final class AuditLogs extends ReadRoutes<AuditLog> {
    AuditLogs(ResourceFactory factory) {
        super(factory.of(AuditLog.class, "audit log"));
    }
}
