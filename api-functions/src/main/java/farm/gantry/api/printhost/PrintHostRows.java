package farm.gantry.api.printhost;

import farm.gantry.Id;
import farm.gantry.api.database.Tx;
import farm.gantry.part.PrintTags;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Statements on uploads of slicers and the prints that wait for their files to be read. */
@Singleton
final class PrintHostRows {
    private final ObjectMapper mapper;

    PrintHostRows(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Locks and returns the oldest part that has only this file, unless the file could not be read. */
    Optional<String> partWithFile(Tx tx, String sha256) {
        return tx.first("""
                select id from farm.part
                where "storeId" = ? and "fileHashes"->>0 = ? and json_array_length("fileHashes") = 1
                  and "processingStatus" is distinct from 'failed'
                order by "createdAt", id limit 1 for update""", rows -> rows.getString(1), tx.store().value(), sha256);
    }

    /** A print that waits for a file to be read, by the hash of that file. */
    record PendingPrint(String fileHash, PrintTags tags) {}

    void addPending(Tx tx, String partId, PendingPrint print) {
        tx.update(
                "insert into farm.\"pendingPrint\" (\"storeId\", id, \"partId\", \"fileHash\", tags) values (?, ?, ?, ?, ?::json)",
                tx.store().value(),
                Id.next(),
                partId,
                print.fileHash(),
                json(print.tags()));
    }

    /** Removes and returns the prints that wait for a part, oldest first. */
    List<PendingPrint> takePending(Tx tx, String partId) {
        return tx.list(
                """
                with taken as (
                  delete from farm."pendingPrint" where "storeId" = ? and "partId" = ?
                  returning id, "fileHash", tags, "createdAt")
                select "fileHash", tags::text from taken order by "createdAt", id""",
                rows -> new PendingPrint(rows.getString(1), tags(rows.getString(2))),
                tx.store().value(),
                partId);
    }

    private String json(PrintTags tags) {
        try {
            return mapper.writeValueAsString(tags);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PrintTags tags(String json) {
        try {
            return Objects.requireNonNull(mapper.readValue(json, PrintTags.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
