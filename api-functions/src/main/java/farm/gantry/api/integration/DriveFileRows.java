package farm.gantry.api.integration;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** Which parts hold the files of drives. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface DriveFileRows extends GenericRepository<IntegrationRow, String> {
    /** The part of the drive's file. */
    @Query("""
            select "partId" from farm."driveFile"
            where "storeId" = :storeId and "integrationId" = :integrationId and "externalId" = :externalId""")
    Optional<String> partOf(String storeId, String integrationId, String externalId);

    /** The oldest part that holds a file of the drive with that hash. */
    @Query("""
            select p.id from farm.part p
            where p."storeId" = :storeId and p."fileHashes"->>0 = :sha256 and exists (
              select from farm."driveFile" f
              where f."storeId" = p."storeId" and f."partId" = p.id and f."integrationId" = :integrationId)
            order by p."createdAt", p.id limit 1""")
    Optional<String> partWith(String storeId, String integrationId, String sha256);

    /** Whether the part holds another file of a drive too. */
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
