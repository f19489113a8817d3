/** The only package that knows SQL: tables, transactions, rows woven into JSON. */
@NullMarked
package farm.gantry.api.store;

import org.jspecify.annotations.NullMarked;
