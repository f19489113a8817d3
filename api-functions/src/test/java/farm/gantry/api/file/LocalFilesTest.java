package farm.gantry.api.file;

import farm.gantry.api.Farm;

/** Files in a folder, served by the API itself. */
final class LocalFilesTest implements KeptFilesContract {
    @Override
    public KeptFiles files() {
        return Farm.bean(KeptFiles.class);
    }

    @Override
    public FileUrls urls() {
        return Farm.bean(FileUrls.class);
    }

    @Override
    public String base() {
        return Farm.url();
    }
}
