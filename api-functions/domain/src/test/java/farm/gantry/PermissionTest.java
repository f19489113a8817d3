package farm.gantry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PermissionTest {
    @Test
    void permissionHasItsWireName() {
        assertThat(Permission.PART_VIEW.wireName()).isEqualTo("part.view");
        assertThat(Permission.API_KEY_CREATE.wireName()).isEqualTo("apiKey.create");
        assertThat(Permission.MATERIAL_INSTANCE_EDIT.wireName()).isEqualTo("material.instance.edit");
    }

    @Test
    void permissionIsFoundByName() {
        for (Permission permission : Permission.values()) {
            assertThat(Permission.parse(permission.wireName())).contains(permission);
        }
        assertThat(Permission.parse("part.fly")).isEmpty();
    }
}
