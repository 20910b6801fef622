//! The bytes that a program's file has in memory: code, constants and what variables start with.

/// The sum of the sections of an ELF file that are loaded and lie in the file; `None` where it is
/// none of 64 bits with the low byte first, or is cut.
pub(super) fn loaded(file: &[u8]) -> Option<u64> {
    const CLASS64: u8 = 2;
    const LITTLE: u8 = 1;
    /// A section's kind: without bytes in the file.
    const NOBITS: u64 = 8;
    /// A section's flag: it is loaded.
    const ALLOC: u64 = 2;
    let number = |at: usize, length: usize| {
        let mut bytes = [0; 8];
        bytes[..length].copy_from_slice(file.get(at..at.checked_add(length)?)?);
        Some(u64::from_le_bytes(bytes))
    };
    if !file.starts_with(&[0x7f, b'E', b'L', b'F', CLASS64, LITTLE]) {
        return None;
    }
    let table = usize::try_from(number(40, 8)?).ok()?;
    let (each, count) = (number(58, 2)? as usize, number(60, 2)? as usize);
    let mut sum = 0;
    for section in (0..count).map(|i| table + i * each) {
        let (kind, flags) = (number(section + 4, 4)?, number(section + 8, 8)?);
        if kind != NOBITS && flags & ALLOC != 0 {
            sum += number(section + 32, 8)?;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_that_are_loaded_count() {
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[40] = 64;
        file[58] = 64;
        for (kind, flags, length) in [(1, 6, 100), (8, 3, 1000), (1, 0, 10_000), (1, 2, 7)] {
            let mut section = vec![0; 64];
            (section[4], section[8]) = (kind, flags);
            section[32..36].copy_from_slice(&u32::to_le_bytes(length));
            file.extend(section);
            file[60] += 1;
        }
        assert_eq!(loaded(&file), Some(107));
        assert_eq!(loaded(&file[..280]), None);
        assert_eq!(loaded(b"MZ"), None);
        // This very program has some.
        #[cfg(all(
            target_os = "linux",
            target_pointer_width = "64",
            target_endian = "little"
        ))]
        {
            let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
            assert!(loaded(&program).unwrap() > 10_000);
        }
    }
}
