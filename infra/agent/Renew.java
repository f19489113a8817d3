import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code java Renew.java JAR}: gives the jar's classes from before Java 6 the form of today's, with the stack maps that the
 * cache of classes wants; what they do stays. Without it picocli's are loaded and checked again at every start.
 */
static final int LAST_OLD = 49;

void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    Path renewed = Files.copy(jar, Path.of(jar + ".new"));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
            FileSystem archive = FileSystems.newFileSystem(URI.create("jar:" + renewed.toUri()), Map.of());
            Stream<Path> files = Files.walk(archive.getPath("/"))) {
        ClassFile tool = ClassFile.of(ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)));
        for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
            ClassModel old = tool.parse(Files.readAllBytes(file));
            if (old.majorVersion() <= LAST_OLD) {
                Files.write(file, renewed(tool, old));
            }
        }
    }
    Files.move(renewed, jar, StandardCopyOption.REPLACE_EXISTING);
}

byte[] renewed(ClassFile tool, ClassModel old) throws IOException {
    ClassTransform transform = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
            .andThen((builder, element) -> {
                if (!(element instanceof ClassFileVersion)) {
                    builder.with(element);
                }
            })
            .andThen(ClassTransform.endHandler(
                    builder -> builder.withVersion(ClassFile.latestMajorVersion(), 0)));
    byte[] fresh = tool.transformClass(old, transform);
    List<VerifyError> faults = tool.verify(fresh);
    if (!faults.isEmpty()) {
        throw new IOException(old.thisClass().asInternalName() + " cannot be renewed: " + faults);
    }
    return fresh;
}
