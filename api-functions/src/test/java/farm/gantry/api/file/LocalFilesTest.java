package farm.gantry.api.file;

import farm.gantry.api.fixture.SharedApi;

/** Files in a folder, served by the API itself. */
final class LocalFilesTest implements KeptFilesContract {
    @Override
    public FileStorage files() {
        return SharedApi.bean(FileStorage.class);
    }

    @Override
    public FileUrls urls() {
        return SharedApi.bean(FileUrls.class);
    }

    @Override
    public String base() {
        return SharedApi.url();
    }
}
