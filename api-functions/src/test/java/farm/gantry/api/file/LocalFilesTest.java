package farm.gantry.api.file;

import farm.gantry.api.fixture.SharedApi;

/** Tests files in a folder that the API itself serves. */
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
