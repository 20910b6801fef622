//! The macro.

/// Types from their description; see [the module](mod@crate::asn1).
///
/// ```text
/// struct NAME: SEQUENCE { [0] EXPLICIT field: TYPE = DEFAULT, … }
/// enum NAME: CHOICE { [0] IMPLICIT Variant(TYPE), … }
/// enum NAME: ENUMERATED { Variant = NUMBER, … }
/// ```
///
/// Tags and defaults may be absent. Fields are as visible as their type; attributes, such as
/// documentation and derives, go where they go in Rust. A default's type needs `PartialEq`.
#[macro_export]
macro_rules! asn1 {
    () => {};
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(<$lt:lifetime>)?: SEQUENCE { $(
            $(#[$field_meta:meta])*
            $([$number:literal] $tagging:ident)? $field:ident: $type:ty $(= $default:expr)?
        ),* $(,)? }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        $vis struct $name $(<$lt>)? {
            $($(#[$field_meta])* $vis $field: $type,)*
        }
        $crate::asn1! { @tagged [$($lt)?] $name $(<$lt>)?, SEQUENCE,
            |tlv| tlv.parse(|r| Ok(Self {
                $($field: $crate::asn1!(@read r [$($number $tagging)?] [$($default)?] $type),)*
            })),
            |value, tag, w| w.nested(tag, |w| {
                $($crate::asn1!(
                    @write w [$($number $tagging)?] [$($default)?] &value.$field
                );)*
            })
        }
        $crate::asn1! { $($rest)* }
    };
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident $(<$lt:lifetime>)?: CHOICE { $(
            $(#[$variant_meta:meta])*
            $([$number:literal] $tagging:ident)? $variant:ident($type:ty)
        ),* $(,)? }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        $vis enum $name $(<$lt>)? {
            $($(#[$variant_meta])* $variant($type),)*
        }
        $crate::asn1! { @choice [$($lt)?] $name $(<$lt>)?, $(
            [$($number $tagging)?] $variant($type),
        )* }
        $crate::asn1! { $($rest)* }
    };
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident: ENUMERATED { $(
            $(#[$variant_meta:meta])* $variant:ident = $number:literal
        ),* $(,)? }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[repr(u8)]
        $vis enum $name {
            $($(#[$variant_meta])* $variant = $number,)*
        }
        $crate::asn1! { @tagged [] $name, ENUMERATED,
            |tlv| match <u32 as $crate::asn1::Tagged>::read_value(tlv)? {
                $($number => Ok(Self::$variant),)*
                _ => Err(tlv.value_error($crate::ErrorKind::UnexpectedValue(
                    concat!("unknown ", stringify!($name)),
                ))),
            },
            |value, tag, w| w.tlv_unsigned(tag, &[match value {
                $(Self::$variant => $number,)*
            }])
        }
        $crate::asn1! { $($rest)* }
    };

    (@tagged [] $name:ty, $($how:tt)*) => {
        $crate::asn1! { @tagged ['asn1] $name, $($how)* }
    };
    (@tagged [$lt:lifetime] $name:ty, $tag:ident, |$tlv:ident| $read:expr,
        |$value:ident, $as:ident, $w:ident| $write:expr
    ) => {
        impl<$lt> $crate::asn1::Tagged<$lt> for $name {
            const TAG: $crate::Tag = $crate::Tag::$tag;

            fn read_value($tlv: &$crate::Tlv<$lt>) -> $crate::Result<Self> {
                $read
            }

            fn write_as(&self, $as: $crate::Tag, $w: &mut $crate::Writer) {
                let $value = self;
                $write;
            }
        }
    };

    (@choice [] $name:ty, $($variants:tt)*) => {
        $crate::asn1! { @choice ['asn1] $name, $($variants)* }
    };
    (@choice [$lt:lifetime] $name:ty, $([$($how:tt)*] $variant:ident($type:ty),)*) => {
        impl<$lt> $crate::asn1::Type<$lt> for $name {
            fn fits(tag: $crate::Tag) -> bool {
                false $(|| $crate::asn1!(@fits tag [$($how)*] $type))*
            }

            fn read(r: &mut $crate::Reader<$lt>) -> $crate::Result<Self> {
                let tag = r
                    .peek_tag()
                    .ok_or($crate::asn1::support::no_alternative(r))?;
                $(if $crate::asn1!(@fits tag [$($how)*] $type) {
                    return Ok(Self::$variant($crate::asn1!(@read r [$($how)*] [] $type)));
                })*
                Err($crate::asn1::support::no_alternative(r))
            }

            fn write(&self, w: &mut $crate::Writer) {
                match self {
                    $(Self::$variant(value) => {
                        $crate::asn1!(@write w [$($how)*] [] value);
                    })*
                }
            }
        }
    };

    (@fits $tag:ident [] $type:ty) => {
        <$type as $crate::asn1::Type>::fits($tag)
    };
    (@fits $tag:ident [$number:literal EXPLICIT] $type:ty) => {
        $tag == $crate::Tag::context_constructed($number)
    };
    (@fits $tag:ident [$number:literal IMPLICIT] $type:ty) => {
        $tag.is_context() && $tag.number() == $number
    };

    (@read $r:ident [$($how:tt)*] [$default:expr] $type:ty) => {{
        let before = *$r;
        let read = $crate::asn1!(@read $r [$($how)*] [] Option<$type>);
        $crate::asn1::support::default(&before, read, $default)?
    }};
    (@read $r:ident [] [] $type:ty) => {
        <$type as $crate::asn1::Type>::read($r)?
    };
    (@read $r:ident [$number:literal EXPLICIT] [] $type:ty) => {
        <$type as $crate::asn1::Type>::read_explicit($r, $number)?
    };
    (@read $r:ident [$number:literal IMPLICIT] [] $type:ty) => {
        <$type as $crate::asn1::Implicit>::read_implicit($r, $number)?
    };

    (@write $w:ident [$($how:tt)*] [$default:expr] $value:expr) => {
        if let Some(value) = $crate::asn1::support::unless_default($value, $default) {
            $crate::asn1!(@write $w [$($how)*] [] value);
        }
    };
    (@write $w:ident [] [] $value:expr) => {
        $crate::asn1::Type::write($value, $w)
    };
    (@write $w:ident [$number:literal EXPLICIT] [] $value:expr) => {
        $crate::asn1::Type::write_explicit($value, $number, $w)
    };
    (@write $w:ident [$number:literal IMPLICIT] [] $value:expr) => {
        $crate::asn1::Implicit::write_implicit($value, $number, $w)
    };
}
