/** The documentation's pages, rendered to HTML and served below {@code /docs}. */
@NullMarked
package farm.gantry.api.documentation;

import org.jspecify.annotations.NullMarked;
