/** Anycubic's printers in LAN mode: each hands out the login to its own broker, and takes files over HTTP. */
@NullMarked
package farm.gantry.edge.provider.anycubic;

import org.jspecify.annotations.NullMarked;
