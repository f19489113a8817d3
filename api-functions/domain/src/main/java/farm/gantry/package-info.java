/** What every noun of the farm is made with: ids, stores, permissions and the marks a record's components carry. */
@NullMarked
package farm.gantry;

import org.jspecify.annotations.NullMarked;
