/** The record of an audit log entry. */
@NullMarked
package farm.gantry.audit;

import org.jspecify.annotations.NullMarked;
