//! What the authority reads of text: files of profiles (TOML) and the settings in its store (JSON).

#![no_main]

use adamant_pki::ca::{Authority, Profile, SETTINGS, system_clock};
use adamant_pki::store::{CaStore, SqliteCa};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static STORE: SqliteCa = SqliteCa::in_memory().expect("a store");
}

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = core::str::from_utf8(data)
        && let Ok(profiles) = Profile::read_toml(text)
    {
        for profile in profiles {
            profile.check().expect("a profile that was checked");
            let _ = (profile.policies(), profile.purposes(), profile.max_days());
        }
    }
    STORE.with(|store| {
        let now = system_clock();
        store
            .put_document(SETTINGS, data, now)
            .expect("room in memory");
        if let Ok(settings) = Authority::read_settings(store)
            && settings.check().is_ok()
        {
            Authority::write_settings(store, &settings, now).expect("settings that were checked");
            let again = Authority::read_settings(store).expect("its own text");
            assert_eq!(again, settings);
        }
    });
});
