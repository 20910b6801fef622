//! Settings (JSON) and profiles (TOML): every field has one type, and what is wrong is told.

use adamant_pki::ca::{Authority, Profile, SETTINGS, Settings, system_clock};
use adamant_pki::store::{CaStore, SqliteCa};

/// What a field may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Text,
    Number,
    Flag,
    Texts,
    Profiles,
}

/// A value, and the kinds that it is of; only JSON has `null`, for what can be left out.
const VALUES: [(&str, &[Kind]); 14] = [
    ("\"http://a.example/x\"", &[Kind::Text]),
    ("7", &[Kind::Number]),
    ("7.0", &[]),
    ("-7", &[]),
    ("4294967296", &[]),
    ("\"7\"", &[Kind::Text]),
    ("true", &[Kind::Flag]),
    ("[]", &[Kind::Texts, Kind::Profiles]),
    ("[\"1.2.3\"]", &[Kind::Texts]),
    ("[7]", &[]),
    ("[[]]", &[]),
    ("[\"1.2.3\", 7]", &[]),
    // Not the fields of a profile in their order.
    (
        "[[\"a\", 1, 1, [], [], false, 1, false, false, [], false]]",
        &[],
    ),
    ("[true]", &[]),
];

const PROFILE: [(&str, Kind); 12] = [
    ("name", Kind::Text),
    ("days", Kind::Number),
    ("max_days", Kind::Number),
    ("key_usage", Kind::Texts),
    ("extended_key_usage", Kind::Texts),
    ("ca", Kind::Flag),
    ("path_len", Kind::Number),
    ("require_names", Kind::Flag),
    ("common_name_is_name", Kind::Flag),
    ("policies", Kind::Texts),
    ("web", Kind::Flag),
    ("ocsp_no_check", Kind::Flag),
];

const SETTINGS_FIELDS: [(&str, Kind); 9] = [
    ("crl_url", Kind::Text),
    ("delta_crl_url", Kind::Text),
    ("ocsp_url", Kind::Text),
    ("issuer_url", Kind::Text),
    ("crl_shards", Kind::Number),
    ("crl_hours", Kind::Number),
    ("delta_crl_hours", Kind::Number),
    ("ocsp_hours", Kind::Number),
    ("profiles", Kind::Profiles),
];

fn settings(text: &str) -> Result<Settings, String> {
    let store = SqliteCa::in_memory().unwrap();
    let documents = [(SETTINGS, text.as_bytes())];
    store.create(&documents, system_clock()).unwrap();
    Authority::read_settings(&store).map_err(|e| e.to_string())
}

#[test]
fn settings_in_json() {
    let all = serde_json::to_value(Settings::default()).unwrap();
    assert_eq!(
        all.as_object().unwrap().len(),
        SETTINGS_FIELDS.len(),
        "all are here"
    );
    for (field, kind) in SETTINGS_FIELDS {
        for (value, kinds) in VALUES {
            let text = format!("{{\"{field}\": {value}}}");
            match settings(&text) {
                Ok(_) => assert!(kinds.contains(&kind), "{text}"),
                Err(why) => {
                    assert!(!kinds.contains(&kind), "{text}: {why}");
                    assert!(why.contains(field), "{text}: {why}");
                }
            }
        }
        assert!(settings(&format!("{{\"{field}x\": null}}")).is_err());
        let null = settings(&format!("{{\"{field}\": null}}"));
        assert_eq!(null.is_ok(), kind == Kind::Text, "{field}");
        let value = VALUES
            .iter()
            .find(|(_, kinds)| kinds.contains(&kind))
            .unwrap();
        let twice = format!("{{\"{field}\": {0}, \"{field}\": {0}}}", value.0);
        assert!(
            settings(&twice).unwrap_err().contains("duplicate"),
            "{twice}"
        );
    }
    for (field, kind) in PROFILE {
        for (value, kinds) in VALUES {
            let name = if field == "name" {
                ""
            } else {
                "\"name\": \"a\", "
            };
            let text = format!("{{\"profiles\": [{{{name}\"{field}\": {value}}}]}}");
            assert_eq!(settings(&text).is_ok(), kinds.contains(&kind), "{text}");
        }
    }
    assert!(settings("[null, null, null, null, 1, 1, 1, 1, []]").is_err());
    assert!(settings("{} {}").is_err() && settings("").is_err());
}

/// What the reader says of the form: the rules about the contents come later.
fn toml(text: &str) -> Result<(), String> {
    match Profile::read_toml(text).map_err(|e| e.to_string()) {
        Err(why) if why.contains("TOML parse error") => Err(why),
        _ => Ok(()),
    }
}

#[test]
fn profiles_in_toml() {
    let all = serde_json::to_value(&Profile::built_in()[0]).unwrap();
    assert_eq!(
        all.as_object().unwrap().len(),
        PROFILE.len(),
        "all are here"
    );
    for (field, kind) in PROFILE {
        let with = |line: &str| {
            let name = if field == "name" { "" } else { "name = 'a'\n" };
            format!("[[profile]]\n{name}{line}")
        };
        let dates = [("1979-05-27", &[] as &[Kind]), ("{ a = 1 }", &[])];
        for (value, kinds) in VALUES.iter().copied().chain(dates) {
            let text = with(&format!("{field} = {value}"));
            match toml(&text) {
                Ok(()) => assert!(kinds.contains(&kind), "{text}"),
                Err(why) => {
                    assert!(!kinds.contains(&kind), "{text}: {why}");
                    assert!(why.contains(field), "{text}: {why}");
                }
            }
        }
        assert!(toml(&with(&format!("{field}x = 1"))).is_err());
        let (value, _) = VALUES
            .iter()
            .find(|(_, kinds)| kinds.contains(&kind))
            .unwrap();
        let twice = with(&format!("{field} = {value}\n{field} = {value}"));
        assert!(toml(&twice).is_err(), "{twice}");
    }
    for wrong in [
        "profile = ['a']",
        "profile = [['a', 1, 1, [], [], false, 1, false, false, [], false]]",
        "profile = 'a'",
        "[profile]\nname = 'a'",
        "[[profile]]\nname = 'a'\n[other]\n",
    ] {
        assert!(toml(wrong).is_err(), "{wrong}");
    }
}
