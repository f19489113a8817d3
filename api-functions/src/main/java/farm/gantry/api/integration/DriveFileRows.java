package farm.gantry.api.integration;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** Queries the parts that were created from files of drives. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface DriveFileRows extends GenericRepository<IntegrationRow, String> {
    /** Returns the id of the part that was created from the drive's file. */
    @Query("""
            select "partId" from farm."driveFile"
            where "storeId" = :storeId and "integrationId" = :integrationId and "externalId" = :externalId""")
    Optional<String> partOf(String storeId, String integrationId, String externalId);

    /** Returns the id of the oldest part with a file of the drive that has this hash. */
    @Query("""
            select p.id from farm.part p
            where p."storeId" = :storeId and p."fileHashes"->>0 = :sha256 and exists (
              select from farm."driveFile" f
              where f."storeId" = p."storeId" and f."partId" = p.id and f."integrationId" = :integrationId)
            order by p."createdAt", p.id limit 1""")
    Optional<String> partWith(String storeId, String integrationId, String sha256);

    /** Returns whether the part also belongs to another file of a drive. */
    @Query("""
            select exists (select from farm."driveFile" where "storeId" = :storeId and "partId" = :partId
              and ("integrationId", "externalId") <> (:integrationId, :externalId))""")
    boolean isShared(String storeId, String partId, String integrationId, String externalId);

    @Query("""
            insert into farm."driveFile" ("storeId", "integrationId", "externalId", "partId")
            values (:storeId, :integrationId, :externalId, :partId)
            on conflict ("storeId", "integrationId", "externalId") do update set "partId" = excluded."partId\"""")
    void set(String storeId, String integrationId, String externalId, String partId);
}
