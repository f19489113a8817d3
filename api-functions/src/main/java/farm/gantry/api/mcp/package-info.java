/** The server for assistants at /mcp: the Model Context Protocol over HTTP, with tools and resources. */
@NullMarked
package farm.gantry.api.mcp;

import org.jspecify.annotations.NullMarked;
