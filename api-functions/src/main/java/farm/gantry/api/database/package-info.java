/** Connections, transactions with tenant isolation, tables of records, SQL statements, encrypted columns and idempotency records. */
@NullMarked
package farm.gantry.api.database;

import org.jspecify.annotations.NullMarked;
