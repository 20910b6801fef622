//! What is refused before anything is signed.

mod certificates;

use adamant::x509::KeyAlgorithm;
use adamant_pki::ca::{Error, Profile, Request, Settings, SubjectName, system_clock};

use super::{generate, name, request, root};

/// The rules that a request breaks.
fn rules(change: impl FnOnce(&mut Request)) -> Vec<&'static str> {
    let ca = root(Settings::default());
    let mut request = request("a.example");
    change(&mut request);
    let Err(Error::Lint { findings, .. }) = ca.issue(&request) else {
        return Vec::new();
    };
    // Nothing was stored.
    assert_eq!(ca.store().counts().unwrap().intents, 0);
    findings.iter().map(|finding| finding.rule).collect()
}

fn alternative(text: &str) -> Vec<&'static str> {
    rules(|request| request.names.push(text.parse().unwrap()))
}

#[test]
fn what_is_right() {
    assert!(rules(|_| {}).is_empty());
    for right in [
        "*.b.example",
        "192.0.2.1",
        "2001:db8::1",
        "uri:urn:a",
        "a@b.example",
    ] {
        assert!(alternative(right).is_empty(), "{right}");
    }
    assert!(rules(|request| request.subject = name("")).is_empty());
}

#[test]
fn names() {
    const RULE: &[&str] = &["RFC 5280, 4.2.1.6"];
    for wrong in [
        "dns:",
        "a b",
        "a_b.example",
        "*.example",
        "dns:192.0.2.1",
        "email:a",
        "uri:a",
    ] {
        assert_eq!(alternative(wrong), RULE, "{wrong}");
    }
    let twice = rules(|request| request.names.push(request.names[0].clone()));
    assert_eq!(twice, RULE);
    let address = rules(|request| request.names.push(SubjectName::Ip(vec![1; 4])));
    assert!(address.is_empty());
    let none = rules(|request| {
        request.names.clear();
        request.subject = name("");
    });
    assert_eq!(none, ["RFC 5280, 4.1.2.6", "profile"]);
    let other = rules(|request| request.subject = name("CN=b.example"));
    assert_eq!(other, ["profile"]);
    for wrong in ["C=nl", "C=NLD", "O=\\00", "L= "] {
        let found = rules(|request| request.subject = name(wrong));
        assert!(
            found.contains(&"RFC 5280, appendix A"),
            "{wrong}: {found:?}"
        );
    }
    let long = format!("O={}", "a".repeat(65));
    let found = rules(|request| request.subject = name(&long));
    assert_eq!(found, ["RFC 5280, appendix A"]);
}

#[test]
fn periods() {
    assert_eq!(rules(|request| request.days = Some(399)), ["profile"]);
    assert!(rules(|request| request.days = Some(398)).is_empty());
    let early = rules(|request| request.not_before = Some("2020-01-01".parse().unwrap()));
    assert_eq!(early, ["RFC 5280, 6.1"]);
    let late = rules(|request| {
        request.profile = "intermediate".to_owned();
        request.days = Some(3653);
        let tomorrow = adamant_pki::ca::system_clock().saturating_add(86_400);
        request.not_before = Some(tomorrow);
    });
    assert_eq!(late, ["RFC 5280, 6.1"]);
}

#[test]
fn keys() {
    // What cannot sign has no use as digitalSignature.
    let exchange = generate(KeyAlgorithm::X25519).public_key();
    let found = rules(|request| request.public_key = exchange.into());
    assert_eq!(found, ["RFC 5280, 4.2.1.3"]);
    let ca = root(Settings::default());
    let mut request = request("a.example");
    request.public_key = ca.public_key().unwrap().into();
    let refused = ca.issue(&request).unwrap_err().to_string();
    assert!(refused.contains("has the key of this CA"), "{refused}");
}

/// All that is wrong is said at once.
#[test]
fn everything_at_once() {
    let found = rules(|request| {
        request.days = Some(500);
        request.subject = name("C=xx,CN=other.example");
        request.names.push("a b".parse().unwrap());
    });
    let expected = [
        "RFC 5280, appendix A",
        "RFC 5280, 4.2.1.6",
        "profile",
        "profile",
    ];
    assert_eq!(found, expected);
}

#[test]
fn settings() {
    let wrong = [
        Settings {
            crl_shards: 2,
            crl_url: Some("http://a.example/ca.crl".into()),
            ..Settings::default()
        },
        Settings {
            crl_shards: 2,
            ..Settings::default()
        },
        Settings {
            ocsp_url: Some("ocsp.example".into()),
            ..Settings::default()
        },
        Settings {
            crl_hours: 0,
            ..Settings::default()
        },
    ];
    for settings in wrong {
        assert!(settings.check().is_err(), "{settings:?}");
    }
}

/// A profile that holds to the Baseline Requirements: their rules, and no beginning in the past.
#[test]
fn a_profile_for_the_web() {
    let server = Profile::built_in()
        .into_iter()
        .find(|profile| profile.name == "server");
    let web = Profile {
        name: "web".to_owned(),
        web: true,
        key_usage: vec!["digitalSignature".to_owned()],
        ..server.unwrap()
    };
    let settings = Settings {
        profiles: vec![web],
        ..Settings::default()
    };
    let ca = root(settings);
    let asked = |host: &str| Request {
        profile: "web".to_owned(),
        ..request(host)
    };
    assert!(ca.issue(&asked("www.iana.org")).is_ok());
    let refused = ca.issue(&asked("www.example")).unwrap_err().to_string();
    assert!(refused.contains("reserved"), "{refused}");
    // Two days and a minute ahead: what is earlier than the CA is refused anyway.
    for (ahead, right) in [(0, true), (47 * 3600, true), (48 * 3600 + 60, false)] {
        let mut request = asked("www.iana.org");
        request.not_before = Some(system_clock().saturating_add(ahead));
        let issued = ca.issue(&request);
        assert_eq!(issued.is_ok(), right, "{ahead}");
        if let Err(error) = issued {
            assert!(error.to_string().contains("48 hours"), "{error}");
        }
    }
}
