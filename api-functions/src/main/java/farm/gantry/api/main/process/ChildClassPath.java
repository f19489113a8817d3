package farm.gantry.api.main.process;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.List;
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
final class ChildClassPath {
    static final String ALL = System.getProperty("java.class.path");

    private ChildClassPath() {}

    /**
     * Those of our jars that the manifest of the main class's jar names, in whatever version, and this; empty when it names
     * none, one of them is missing or there is no jar.
     */
    static Optional<String> ofMainClass(String main) throws IOException {
        Optional<Path> jar = findJar(main);
        if (jar.isEmpty()) {
            return Optional.empty();
        }
        Set<String> named = manifestArtifacts(jar.get());
        List<String> own = Arrays.stream(ALL.split(File.pathSeparator, -1))
                .filter(entry ->
                        named.contains(artifactName(entry)) || Path.of(entry).equals(jar.get()))
                .toList();
        Set<String> found = own.stream().map(ChildClassPath::artifactName).collect(Collectors.toSet());
        return named.isEmpty() || !found.containsAll(named)
                ? Optional.empty()
                : Optional.of(String.join(File.pathSeparator, own));
    }

    private static Set<String> manifestArtifacts(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String names =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return names == null
                    ? Set.of()
                    : Arrays.stream(names.split(" ", -1))
                            .map(ChildClassPath::artifactName)
                            .collect(Collectors.toSet());
        }
    }

    /** The name of a jar without its version. */
    private static String artifactName(String jar) {
        return String.valueOf(Path.of(jar).getFileName()).replaceFirst("-\\d.*", "");
    }

    private static Optional<Path> findJar(String main) throws IOException {
        try {
            CodeSource source = Class.forName(main, false, ChildClassPath.class.getClassLoader())
                    .getProtectionDomain()
                    .getCodeSource();
            return Optional.of(Path.of(source.getLocation().toURI())).filter(Files::isRegularFile);
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IOException("no main class " + main, e);
        }
    }
}
