//! JSON and TOML that mean one thing: what is wrong in them is told, and never passed over.
//!
//! The structs that serde derives refuse unknown and repeated fields (`deny_unknown_fields`), but
//! they also take an array of their fields in order, and an error does not name its field. An
//! [`Object`] takes only an object, and names the field.
//!
//! ```
//! use adamant_tool::strict::Object;
//!
//! #[derive(serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Wish {
//!     days: u32,
//! }
//!
//! let read = |text| serde_json::from_str::<Object<Wish>>(text).map(|Object(wish)| wish.days);
//! assert_eq!(read(r#"{"days": 3}"#).unwrap(), 3);
//! let wrong = read(r#"{"days": "3"}"#).unwrap_err().to_string();
//! assert!(wrong.starts_with("days: invalid type"), "{wrong}");
//! assert!(read("[3]").is_err());
//! ```

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor,
};
use serde::{Deserialize, Deserializer};

/// A struct that is read from an object (JSON) or a table (TOML), and from nothing else.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Fields {
            tag: None,
            of: PhantomData,
        };
        deserializer.deserialize_map(fields).map(Object)
    }
}

/// The struct of the fields of a JSON object beside one, `tag`, which told that it is this struct.
///
/// # Errors
/// Those of the format.
pub fn beside<T: DeserializeOwned>(json: &[u8], tag: &'static str) -> serde_json::Result<T> {
    let mut json = serde_json::Deserializer::from_slice(json);
    let fields = Fields {
        tag: Some(tag),
        of: PhantomData,
    };
    let read = json.deserialize_map(fields)?;
    json.end()?;
    Ok(read)
}

struct Fields<T> {
    /// The field to pass over.
    tag: Option<&'static str>,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with named fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let named = Named {
            map,
            tag: self.tag,
            field: String::new(),
        };
        T::deserialize(MapAccessDeserializer::new(named))
    }
}

/// The fields of an object, whose errors have their names.
struct Named<A> {
    map: A,
    tag: Option<&'static str>,
    field: String,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Named<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let field = loop {
            match self.map.next_key::<String>()? {
                None => return Ok(None),
                Some(field) if Some(field.as_str()) != self.tag => break field,
                Some(_) => self.map.next_value::<IgnoredAny>()?,
            };
        };
        let key = seed.deserialize(field.as_str().into_deserializer())?;
        self.field = field;
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        let value = self.map.next_value_seed(seed);
        value.map_err(|error| A::Error::custom(format_args!("{}: {error}", self.field)))
    }
}

/// For `deserialize_with`: a field that is itself an [`Object`].
///
/// # Errors
/// Those of the format.
pub fn one<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|Object(value)| value)
}

/// For `deserialize_with`: an [`Object`], or `null`. The field needs `default` too, to be left out.
///
/// # Errors
/// Those of the format.
pub fn maybe<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = Option::<Object<T>>::deserialize(deserializer)?;
    Ok(value.map(|Object(value)| value))
}

/// For `deserialize_with`: a list of [`Object`]s.
///
/// # Errors
/// Those of the format.
pub fn many<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let values = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(values.into_iter().map(|Object(value)| value).collect())
}

/// For `deserialize_with`, with `default`: a field that can be left out, but is never `null`.
///
/// # Errors
/// Those of the format.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
