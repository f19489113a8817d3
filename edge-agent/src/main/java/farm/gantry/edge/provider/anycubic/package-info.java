/** Anycubic printers in LAN mode. */
@NullMarked
package farm.gantry.edge.provider.anycubic;

import org.jspecify.annotations.NullMarked;
