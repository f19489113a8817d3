package farm.gantry.api.description;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The Javadocs of types and routes, read from the sources because class files do not contain them. */
final class Javadocs {
    /** A Javadoc: its first sentence, and the whole text. */
    record Comment(String first, String whole) {}

    private final Map<String, Comment> comments = new HashMap<>();

    private Javadocs() {}

    /** Reads the Javadocs of all sources below the folders. */
    static Javadocs below(List<Path> folders) {
        Javadocs docs = new Javadocs();
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK is needed");
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    manager,
                    null,
                    List.of("-proc:none"),
                    null,
                    manager.getJavaFileObjectsFromPaths(
                            folders.stream().flatMap(Javadocs::sources).toList()));
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                docs.new Reading(trees, unit).scan(new TreePath(unit), null);
            }
            return docs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Nullable
    Comment of(Class<?> type) {
        return comments.get(type.getCanonicalName());
    }

    @Nullable
    Comment of(Method method) {
        return comments.get(method.getDeclaringClass().getCanonicalName() + "#" + method.getName() + "/"
                + method.getParameterCount());
    }

    private final class Reading extends TreePathScanner<@Nullable Void, @Nullable String> {
        private final DocTrees trees;
        private final CompilationUnitTree unit;

        Reading(DocTrees trees, CompilationUnitTree unit) {
            this.trees = trees;
            this.unit = unit;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable String outer) {
            String name = (outer == null ? String.valueOf(unit.getPackageName()) : outer) + "." + type.getSimpleName();
            keep(name);
            return super.visitClass(type, name);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable String type) {
            keep(type + "#" + method.getName() + "/" + method.getParameters().size());
            return null;
        }

        private void keep(String name) {
            DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
            if (comment != null) {
                comments.put(name, new Comment(text(comment.getFirstSentence()), text(comment.getFullBody())));
            }
        }
    }

    private static String text(List<? extends DocTree> trees) {
        return trees.stream()
                .map(Javadocs::text)
                .collect(Collectors.joining())
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static String text(DocTree tree) {
        return switch (tree) {
            case TextTree text -> text.getBody();
            case LiteralTree code -> "`" + code.getBody().getBody().strip() + "`";
            case LinkTree link ->
                link.getLabel().isEmpty()
                        ? "`" + link.getReference().getSignature().replace("#", "") + "`"
                        : text(link.getLabel());
            default -> " ";
        };
    }
}
