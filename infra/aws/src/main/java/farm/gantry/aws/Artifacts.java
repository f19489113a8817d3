package farm.gantry.aws;

import java.nio.file.Path;

/**
 * The deployed files: the zip of the functions, the folder with the worker's Dockerfile and its content, and the folder
 * with the certificates of the authorities that sign those of databases, {@code rds.pem}.
 */
record Artifacts(Path functions, Path ingest, Path authorities) {}
