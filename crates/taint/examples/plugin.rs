//! A plugin of QEMU's emulator of programs that follows secrets through a program for ARM64 (`qemu-aarch64
//! -cpu max -plugin libplugin.so PROGRAM`). It prints what depends on a secret as it is found, at the
//! end `followed: COUNT SYMBOL` for every function, with the number of its instructions that secrets went
//! through, and how many instructions ran.
//!
//! QEMU's interface (version 1) is declared here as far as it is used.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
#![allow(unsafe_code)]

use adamant_taint::arm64::Follower;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::collections::HashMap;
use std::path::Path;

type Id = u64;
/// Of a block, or of an instruction.
type Handle = *mut c_void;
/// A number.
type Data = *mut c_void;

const NO_REGISTERS: c_int = 0;
const READS_AND_WRITES: c_int = 3;

unsafe extern "C" {
    fn qemu_plugin_register_vcpu_tb_trans_cb(id: Id, call: extern "C" fn(Id, Handle));
    fn qemu_plugin_register_vcpu_tb_exec_cb(
        block: Handle,
        call: extern "C" fn(u32, Data),
        flags: c_int,
        data: Data,
    );
    fn qemu_plugin_register_vcpu_mem_cb(
        instruction: Handle,
        call: extern "C" fn(u32, u32, u64, Data),
        flags: c_int,
        of: c_int,
        data: Data,
    );
    fn qemu_plugin_register_atexit_cb(id: Id, call: extern "C" fn(Id, Data), data: Data);
    fn qemu_plugin_tb_n_insns(block: Handle) -> usize;
    fn qemu_plugin_tb_get_insn(block: Handle, n: usize) -> Handle;
    fn qemu_plugin_insn_data(instruction: Handle) -> *const [u8; 4];
    fn qemu_plugin_insn_vaddr(instruction: Handle) -> u64;
    fn qemu_plugin_insn_disas(instruction: Handle) -> *const c_char;
    fn qemu_plugin_path_to_binary() -> *const c_char;
    fn qemu_plugin_entry_code() -> u64;
}

/// The version of the interface.
#[unsafe(no_mangle)]
pub static qemu_plugin_version: c_int = 1;

struct Plugin {
    follower: Follower,
    /// Instructions as they are written.
    text: HashMap<u64, String>,
}

static PLUGIN: AtomicPtr<Plugin> = AtomicPtr::new(core::ptr::null_mut());

/// The one of this process; the entry of the program is known when its first block is.
fn plugin() -> &'static mut Plugin {
    let plugin = match PLUGIN.load(Relaxed) {
        plugin if plugin.is_null() => {
            // SAFETY: the program is loaded, and its path a string that stays.
            let (path, entry) = unsafe {
                let path = CStr::from_ptr(qemu_plugin_path_to_binary());
                (
                    path.to_str().expect("a path in UTF-8"),
                    qemu_plugin_entry_code(),
                )
            };
            let plugin = Box::into_raw(Box::new(Plugin {
                follower: Follower::new(Path::new(path), entry).expect("address space"),
                text: HashMap::new(),
            }));
            PLUGIN.store(plugin, Relaxed);
            plugin
        }
        plugin => plugin,
    };
    // SAFETY: it is never freed. The program has one thread, and the emulator calls one function of
    // this file at a time, each of which asks once.
    unsafe { &mut *plugin }
}

extern "C" fn translated(_: Id, block: Handle) {
    let plugin = plugin();
    // SAFETY: the block and its instructions are the emulator's, and exist for as long as this runs.
    unsafe {
        let count = qemu_plugin_tb_n_insns(block);
        let instructions: Vec<_> = (0..count)
            .map(|n| qemu_plugin_tb_get_insn(block, n))
            .collect();
        let mut steps = vec![];
        for (n, &instruction) in instructions.iter().enumerate() {
            let at = qemu_plugin_insn_vaddr(instruction);
            steps.push((at, u32::from_le_bytes(*qemu_plugin_insn_data(instruction))));
            plugin.text.entry(at).or_insert_with(|| {
                let text = CStr::from_ptr(qemu_plugin_insn_disas(instruction));
                text.to_string_lossy().into_owned()
            });
            qemu_plugin_register_vcpu_mem_cb(
                instruction,
                accessed,
                NO_REGISTERS,
                READS_AND_WRITES,
                n as Data,
            );
        }
        let number = plugin.follower.block(steps);
        qemu_plugin_register_vcpu_tb_exec_cb(block, runs, NO_REGISTERS, number as Data);
    }
}

impl Plugin {
    fn run(&mut self, block: Option<usize>) {
        for (at, leak) in self.follower.run(block) {
            let text = self.text.get(&at).map_or("", |text| text);
            println!("{leak:?} at {}: {text}", self.follower.name(at));
        }
    }
}

extern "C" fn runs(_: u32, block: Data) {
    plugin().run(Some(block as usize));
}

extern "C" fn accessed(_: u32, _: u32, address: u64, step: Data) {
    plugin().follower.accessed(step as usize, address);
}

extern "C" fn ended(_: Id, _: Data) {
    let plugin = plugin();
    plugin.run(None);
    for (count, name) in plugin.follower.followed() {
        println!("followed: {count} {name}");
    }
    println!("{} instructions", plugin.follower.count());
}

/// Called when the emulator loads the plugin.
#[unsafe(no_mangle)]
pub extern "C" fn qemu_plugin_install(
    id: Id,
    _: *const c_void,
    _: c_int,
    _: *mut *mut c_char,
) -> c_int {
    // SAFETY: the functions are of the types that the emulator calls.
    unsafe {
        qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
        qemu_plugin_register_atexit_cb(id, ended, core::ptr::null_mut());
    }
    0
}
