/** One plate of one copy, and its way from the queue to the printer's bed. */
@NullMarked
package farm.gantry.job;

import org.jspecify.annotations.NullMarked;
