package farm.gantry.api.part;

import farm.gantry.Id;
import farm.gantry.api.error.Faults;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.StoredFile;
import farm.gantry.file.FileUri;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Moves uploads to the files of a part. */
@Singleton
final class PartFiles {
    private final FileStorage files;

    PartFiles(FileStorage files) {
        this.files = files;
    }

    /** The part's files, kept under its id; every upload that is missing or not the store's is said at once. */
    List<StoredFile> moveToPart(String storeId, String partId, List<String> fileUris) {
        Faults faults = new Faults();
        List<StoredFile> adopted = new ArrayList<>();
        for (int i = 0; i < fileUris.size(); i++) {
            Optional<StoredFile> file = FileUri.parse(fileUris.get(i))
                    .filter(uri -> uri.storeId().equals(storeId))
                    .flatMap(uri -> isOf(uri, partId) ? files.find(uri) : copy(uri, storeId, partId));
            if (file.isEmpty()) {
                faults.add("fileUris[" + i + "]", "not_found", "nothing was uploaded at '" + fileUris.get(i) + "'");
            } else {
                adopted.add(file.get());
            }
        }
        faults.check();
        return adopted;
    }

    private static boolean isOf(FileUri uri, String partId) {
        return uri.area() == FileUri.Area.files && uri.id().equals(partId);
    }

    /** A file of another part is copied as an upload is: each lives as long as its own part. */
    private Optional<StoredFile> copy(FileUri from, String storeId, String partId) {
        return files.copy(from, FileUri.file(storeId, partId, Id.next() + "/" + from.fileName()));
    }
}
