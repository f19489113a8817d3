/** Sessions with printers, and the proof of their identity. */
@NullMarked
package farm.gantry.edge.session;

import org.jspecify.annotations.NullMarked;
