//! The bytes that a program's file has in memory: code, constants and what variables start with;
//! and those of code.

/// A section of an ELF file.
struct Section<'a> {
    name: &'a [u8],
    kind: u64,
    flags: u64,
    length: u64,
}

/// The sum of the sections of an ELF file that are loaded and lie in the file; `None` where it is
/// none of 64 bits with the low byte first, or is cut.
pub(super) fn loaded(file: &[u8]) -> Option<u64> {
    /// A section's kind: without bytes in the file.
    const NOBITS: u64 = 8;
    /// A section's flag: it is loaded.
    const ALLOC: u64 = 2;
    let loaded = |section: &Section<'_>| section.kind != NOBITS && section.flags & ALLOC != 0;
    sum(file, loaded)
}

/// The bytes of code: of the section `.text`.
pub(super) fn text(file: &[u8]) -> Option<u64> {
    sum(file, |section| section.name == b".text")
}

/// The bytes of the sections that count.
fn sum(file: &[u8], counts: impl Fn(&Section<'_>) -> bool) -> Option<u64> {
    const CLASS64: u8 = 2;
    const LITTLE: u8 = 1;
    let number = |at: usize, length: usize| {
        let mut bytes = [0; 8];
        bytes[..length].copy_from_slice(file.get(at..at.checked_add(length)?)?);
        Some(u64::from_le_bytes(bytes))
    };
    let place = |at: usize| usize::try_from(number(at, 8)?).ok();
    if !file.starts_with(&[0x7f, b'E', b'L', b'F', CLASS64, LITTLE]) {
        return None;
    }
    let table = place(40)?;
    let (each, count) = (number(58, 2)? as usize, number(60, 2)? as usize);
    let header = |i: usize| table.checked_add(i * each);
    let names = place(header(number(62, 2)? as usize)?.checked_add(24)?)?;
    let mut sum = 0u64;
    for i in 0..count {
        let at = header(i)?;
        let name = names.checked_add(number(at, 4)? as usize)?;
        let name = file.get(name..)?.split(|&byte| byte == 0).next()?;
        let section = Section {
            name,
            kind: number(at.checked_add(4)?, 4)?,
            flags: number(at.checked_add(8)?, 8)?,
            length: number(at.checked_add(32)?, 8)?,
        };
        if counts(&section) {
            sum = sum.checked_add(section.length)?;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_that_are_loaded_count() {
        // The names are in the last of five sections.
        let names = b"\0.text\0.data\0";
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[40] = 64;
        file[58] = 64;
        let sections = [
            (1, 1, 6, 100),
            (7, 8, 3, 1000),
            (7, 1, 0, 10_000),
            (7, 1, 2, 7),
            (0, 3, 0, 13),
        ];
        for (name, kind, flags, length) in sections {
            let mut section = vec![0; 64];
            (section[0], section[4], section[8]) = (name, kind, flags);
            section[24..26].copy_from_slice(&u16::to_le_bytes(64 * 6));
            section[32..36].copy_from_slice(&u32::to_le_bytes(length));
            file.extend(section);
            file[60] += 1;
        }
        file[62] = 4;
        file.extend(names);
        assert_eq!((loaded(&file), text(&file)), (Some(107), Some(100)));
        assert_eq!((loaded(&file[..280]), text(&file[..384])), (None, None));
        assert_eq!(loaded(b"MZ"), None);
        // Places beyond all addresses.
        let mut hostile = file.clone();
        hostile[40..48].copy_from_slice(&[0xff; 8]);
        assert_eq!(text(&hostile), None);
        hostile = file;
        hostile[64 * 5 + 24..64 * 5 + 32].copy_from_slice(&[0xff; 8]);
        assert_eq!(text(&hostile), None);
        // This very program has some.
        #[cfg(all(
            target_os = "linux",
            target_pointer_width = "64",
            target_endian = "little"
        ))]
        {
            let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
            assert!(text(&program).unwrap() > 10_000);
            assert!(loaded(&program) > text(&program));
        }
    }
}
