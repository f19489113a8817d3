package farm.gantry.api.file;

import farm.gantry.Id;
import farm.gantry.api.database.Tx;
import farm.gantry.file.FileUri;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies files that a record's values name into the owner's folder, because uploads expire and other records' files are
 * deleted with them. A name without a file is left unchanged; the build reports it.
 */
@Singleton
public final class ReferencedFileCopies {
    private final FileStorage files;
    private final FileReferenceRows references;

    ReferencedFileCopies(FileStorage files, FileReferenceRows references) {
        this.files = files;
        this.references = references;
    }

    /** Returns the text with the URI of the owner's copy of the file it names. */
    public @Nullable String copyToOwner(Tx tx, String ownerId, @Nullable String text) {
        Optional<FileUri> other = Optional.ofNullable(text)
                .flatMap(FileUri::parse)
                .filter(uri ->
                        uri.storeId().equals(tx.store().value()) && !uri.id().equals(ownerId));
        if (other.isEmpty()) {
            return text;
        }
        references.lockShared(tx);
        FileUri from = other.get();
        FileUri to = FileUri.file(from.storeId(), ownerId, copyId(from) + "/" + from.fileName());
        return files.find(to)
                .or(() -> files.copy(from, to))
                .map(copy -> copy.uri().toString())
                .orElse(text);
    }

    /** Returns the same id for each file, so that naming it again makes no second copy. */
    private static String copyId(FileUri from) {
        if (from.area() == FileUri.Area.uploads) {
            return from.id();
        }
        String first = from.name().substring(0, Math.max(0, from.name().indexOf('/')));
        return Id.isValid(first) ? first : Id.next();
    }

    /** Returns the JSON value with the URIs of the owner's copies of all files it names. */
    public @Nullable Object copyToOwner(Tx tx, String ownerId, @Nullable Object value) {
        return switch (value) {
            case String text -> copyToOwner(tx, ownerId, text);
            case List<?> list ->
                list.stream().map(each -> copyToOwner(tx, ownerId, (Object) each)).toList();
            case Map<?, ?> map -> copyValuesToOwner(tx, ownerId, map);
            case null, default -> value;
        };
    }

    /** Returns the map with the values replaced likewise. */
    public <K> Map<K, Object> copyValuesToOwner(Tx tx, String ownerId, Map<K, ?> values) {
        Map<K, Object> owned = new LinkedHashMap<>();
        values.forEach((key, value) -> owned.put(key, copyToOwner(tx, ownerId, (Object) value)));
        return owned;
    }
}
