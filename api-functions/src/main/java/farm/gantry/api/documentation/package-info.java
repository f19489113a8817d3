/** The documentation's pages, rendered to HTML and served at /docs. */
@NullMarked
package farm.gantry.api.documentation;

import org.jspecify.annotations.NullMarked;
