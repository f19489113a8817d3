package farm.gantry.api.main;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * What of this process's class path a child process needs: a program that finds no beans but its own starts sooner and
 * holds less.
 */
final class ClassPath {
    static final String ALL = System.getProperty("java.class.path");

    private ClassPath() {}

    /** Those of our jars that the manifest of the main class's jar names, and this; empty when it names none or there is none. */
    static Optional<String> of(String main) throws IOException {
        Optional<Path> jar = jar(main);
        if (jar.isEmpty()) {
            return Optional.empty();
        }
        Set<String> names = named(jar.get());
        if (names.isEmpty()) {
            return Optional.empty();
        }
        names.add(fileName(jar.get()));
        return Optional.of(Arrays.stream(ALL.split(File.pathSeparator, -1))
                .filter(entry -> names.contains(fileName(Path.of(entry))))
                .collect(Collectors.joining(File.pathSeparator)));
    }

    private static Set<String> named(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String names =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return names == null ? Set.of() : new HashSet<>(Arrays.asList(names.split(" ", -1)));
        }
    }

    private static String fileName(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static Optional<Path> jar(String main) throws IOException {
        try {
            CodeSource source = Class.forName(main, false, ClassPath.class.getClassLoader())
                    .getProtectionDomain()
                    .getCodeSource();
            return Optional.of(Path.of(source.getLocation().toURI())).filter(Files::isRegularFile);
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IOException("no main class " + main, e);
        }
    }
}
