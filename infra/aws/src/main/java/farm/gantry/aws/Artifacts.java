package farm.gantry.aws;

import java.nio.file.Path;

/** What is deployed: the zip of the functions, and the folder with the worker's Dockerfile and what it copies. */
record Artifacts(Path functions, Path ingest) {}
