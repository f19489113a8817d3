/** The query language of lists and searches. */
@NullMarked
package farm.gantry.api.query;

import org.jspecify.annotations.NullMarked;
