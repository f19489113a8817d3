/** Schema migrations, the schema's owner and checks after a restore. */
@NullMarked
package farm.gantry.api.database.schema;

import org.jspecify.annotations.NullMarked;
