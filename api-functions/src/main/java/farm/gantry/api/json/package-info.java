/** JSON of records: reading with all faults, writing, merge patches. */
@NullMarked
package farm.gantry.api.json;

import org.jspecify.annotations.NullMarked;
