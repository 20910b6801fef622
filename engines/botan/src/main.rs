//! Botan as an engine of the comparison.
//!
//! The operations are written against Botan's own interface, which is C++ (`cpp/`): its C
//! interface copies more and lacks some of them. This side serves them.

use std::ffi::{CStr, CString, c_char, c_void};
use std::io;
use std::ptr::NonNull;
use std::time::Duration;

use adamant_engine::Item;
use adamant_engine::serve::{Engine, Task, serve};
use adamant_engine::stopwatch::Stopwatch;

/// How `botan-src` configures Botan.
const BUILD: &str = "botan-src 0.31300.1: static, -O3, every module, with instructions that are \
                     chosen by the CPU at run time";

/// A named byte string.
#[repr(C)]
struct Field {
    name: *const c_char,
    data: *const u8,
    len: usize,
}

type EachName = unsafe extern "C" fn(*mut c_void, *const c_char);
type EachOutput = unsafe extern "C" fn(*mut c_void, *const c_char, *const u8, usize);

// The functions of cpp/engine.cpp. What fails leaves a sentence ended by NUL.
unsafe extern "C" {
    fn adamant_botan_version() -> *const c_char;
    fn adamant_botan_paths(out: *mut c_char, room: usize);
    fn adamant_botan_list(context: *mut c_void, each: EachName);
    fn adamant_botan_prepare(
        name: *const c_char,
        bytes: usize,
        fields: *const Field,
        count: usize,
        error: *mut c_char,
        room: usize,
    ) -> *mut c_void;
    fn adamant_botan_run(
        task: *mut c_void,
        iterations: u64,
        setting_up: *mut u64,
        error: *mut c_char,
        room: usize,
    ) -> bool;
    fn adamant_botan_outputs(
        task: *mut c_void,
        context: *mut c_void,
        each: EachOutput,
        error: *mut c_char,
        room: usize,
    ) -> bool;
    fn adamant_botan_free(task: *mut c_void);
}

/// Room for a sentence.
struct Sentence([u8; 256]);

impl Sentence {
    fn new() -> Self {
        Sentence([0; 256])
    }
    fn start(&mut self) -> *mut c_char {
        self.0.as_mut_ptr().cast()
    }
    fn text(&self) -> String {
        let text = CStr::from_bytes_until_nul(&self.0).unwrap_or_default();
        text.to_string_lossy().into_owned()
    }
}

/// An operation that Botan has prepared.
struct Prepared(NonNull<c_void>);

impl Prepared {
    fn new(name: &CStr, bytes: usize, input: &Item) -> Result<Self, String> {
        let names = input.keys().map(|name| CString::new(name.as_str()));
        let names: Vec<CString> = names.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
        let values = names.iter().zip(input.values());
        let fields: Vec<Field> = values
            .map(|(name, value)| Field {
                name: name.as_ptr(),
                data: value.as_ptr(),
                len: value.len(),
            })
            .collect();
        let mut error = Sentence::new();
        let (start, count, room) = (fields.as_ptr(), fields.len(), error.0.len());
        // SAFETY: the name and the fields live through the call; the sentence has that room.
        let task = unsafe {
            adamant_botan_prepare(name.as_ptr(), bytes, start, count, error.start(), room)
        };
        NonNull::new(task).map(Prepared).ok_or_else(|| error.text())
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: it came from `adamant_botan_prepare` and is freed once.
        unsafe { adamant_botan_free(self.0.as_ptr()) }
    }
}

impl Task for Prepared {
    fn run(&mut self, iterations: u64) -> Result<(), String> {
        self.time(iterations).map(|_| ())
    }

    fn time(&mut self, iterations: u64) -> Result<Duration, String> {
        let (mut error, mut setting_up) = (Sentence::new(), 0);
        let (task, room) = (self.0.as_ptr(), error.0.len());
        let watch = Stopwatch::start();
        // SAFETY: the task is valid; the number has its place, the sentence that room.
        let done = unsafe {
            adamant_botan_run(task, iterations, &raw mut setting_up, error.start(), room)
        };
        let time = watch.elapsed();
        if done {
            Ok(time.saturating_sub(Duration::from_nanos(setting_up)))
        } else {
            Err(error.text())
        }
    }

    fn outputs(&mut self) -> Result<Vec<Item>, String> {
        /// # Safety
        /// The context is an [`Item`], the name ends with NUL, the value has the length said.
        unsafe extern "C" fn each(
            context: *mut c_void,
            name: *const c_char,
            data: *const u8,
            len: usize,
        ) {
            // SAFETY: as the function's own conditions say; the data may be null when empty.
            let (item, name, value) = unsafe {
                let value = match len {
                    0 => Vec::new(),
                    _ => std::slice::from_raw_parts(data, len).to_vec(),
                };
                (&mut *context.cast::<Item>(), CStr::from_ptr(name), value)
            };
            item.insert(name.to_string_lossy().into_owned(), value);
        }
        let (mut item, mut error) = (Item::new(), Sentence::new());
        let (context, room) = ((&raw mut item).cast(), error.0.len());
        // SAFETY: the task is valid; the item lives through the call; the sentence has that room.
        let done =
            unsafe { adamant_botan_outputs(self.0.as_ptr(), context, each, error.start(), room) };
        if done {
            Ok(vec![item])
        } else {
            Err(error.text())
        }
    }
}

fn names() -> Vec<CString> {
    /// # Safety
    /// The context is a vector of names, the name ends with NUL.
    unsafe extern "C" fn each(context: *mut c_void, name: *const c_char) {
        // SAFETY: as the function's own conditions say.
        let (names, name) = unsafe { (&mut *context.cast::<Vec<CString>>(), CStr::from_ptr(name)) };
        names.push(name.to_owned());
    }
    let mut names = Vec::new();
    // SAFETY: the vector lives through the call.
    unsafe { adamant_botan_list((&raw mut names).cast(), each) };
    names
}

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    // SAFETY: it gives a string that lives as long as the program.
    let version = unsafe { CStr::from_ptr(adamant_botan_version()) };
    let mut paths = Sentence::new();
    let room = paths.0.len();
    // SAFETY: the sentence has that room.
    unsafe { adamant_botan_paths(paths.start(), room) };
    let build = format!("{BUILD}; {}", paths.text());
    let mut engine = Engine::new("botan", &version.to_string_lossy(), &build);
    for name in names() {
        engine.batch(
            &name.to_string_lossy().into_owned(),
            move |size, items| match items {
                [item] => Ok(Box::new(Prepared::new(&name, size.bytes, item)?)),
                _ => Err(format!("it does one item at a time, not {}", items.len())),
            },
        );
    }
    engine
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        adamant_engine::answers::check(&super::engine()).unwrap();
    }
}
