/** How threads of printers hear, with as few of them woken as will do. */
@NullMarked
package farm.gantry.edge.inbox;

import org.jspecify.annotations.NullMarked;
