//! JSON and TOML that mean one thing: what is wrong in them is told, and never passed over.
//!
//! The structs that serde derives refuse unknown and repeated fields (`deny_unknown_fields`), but
//! they also take an array of their fields in order, and an error does not name its field. An
//! [`Object`] takes an object alone, and names the field.
//!
//! ```
//! use adamant_engine::strict::Object;
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
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A struct that is read from an object (JSON) or a table (TOML), and from nothing else.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields(PhantomData))
    }
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with named fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let named = Named {
            map,
            field: String::new(),
        };
        T::deserialize(MapAccessDeserializer::new(named)).map(Object)
    }
}

/// The fields of an object, whose errors have their names.
struct Named<A> {
    map: A,
    field: String,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Named<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Some(field) = self.map.next_key::<String>()? else {
            return Ok(None);
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
