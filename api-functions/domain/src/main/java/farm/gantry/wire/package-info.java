/** What API, worker and agent say to each other. */
@NullMarked
package farm.gantry.wire;

import org.jspecify.annotations.NullMarked;
