/** Orders: routes, items, printing, progress and SQL. */
@NullMarked
package farm.gantry.api.order;

import org.jspecify.annotations.NullMarked;
