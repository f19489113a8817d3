/** Who is told what, and how. */
@NullMarked
package farm.gantry.notification;

import org.jspecify.annotations.NullMarked;
