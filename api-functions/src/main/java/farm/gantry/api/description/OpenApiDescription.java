package farm.gantry.api.description;

import io.micronaut.core.io.ResourceLoader;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The kept OpenAPI description, which is made of the code: nothing in here is said a second time. */
@Singleton
public final class OpenApiDescription {
    private static final int MAX_CHARACTERS = 16_000_000;

    private final Supplier<byte[]> yaml;
    private final Supplier<Map<String, @Nullable Object>> tree;
    private final Supplier<byte[]> json;

    OpenApiDescription(ResourceLoader resources, JsonMapper mapper) {
        this.yaml = SupplierUtil.memoized(() -> read(resources, "classpath:openapi.yaml"));
        this.tree = SupplierUtil.memoized(() -> parseYaml(yaml.get()));
        this.json = SupplierUtil.memoized(() -> toJson(mapper, tree.get()));
    }

    /** As it is kept. */
    byte[] yaml() {
        return yaml.get();
    }

    byte[] json() {
        return json.get();
    }

    /** Objects as maps, arrays as lists. */
    public Map<String, @Nullable Object> tree() {
        return tree.get();
    }

    static byte[] read(ResourceLoader resources, String path) {
        try (InputStream stream = resources
                .getResourceAsStream(path)
                .orElseThrow(() -> new IllegalStateException(path + " is missing"))) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, @Nullable Object> parseYaml(byte[] yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        return new Yaml(new SafeConstructor(options)).load(new ByteArrayInputStream(yaml));
    }

    private static byte[] toJson(JsonMapper mapper, Map<String, @Nullable Object> tree) {
        try {
            return mapper.writeValueAsBytes(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
