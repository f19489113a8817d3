/** HTTP and WebSocket requests to printers. */
@NullMarked
package farm.gantry.edge.http;

import org.jspecify.annotations.NullMarked;
