//! One run: the tool is set up, the function followed, and what was found named.

use crate::arena::{IN_TOOL, reserve};
use crate::follow::Follower;
use crate::machine::{Context, TABLE_BITS, enter};
use crate::shadow::Leak;
use crate::translate::{RECORD, Translator, decode};
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use iced_x86::FastFormatter;
use std::collections::BTreeSet;

/// Bytes of the log; after it is a page that cannot be written.
const LOG: usize = 4 << 20;
const STACK: usize = 8 << 20;

struct Tool {
    context: Context,
    translator: Translator,
    follower: Follower,
    log: *mut u8,
}

/// The one of this process, which is made once.
static TOOL: AtomicPtr<Tool> = AtomicPtr::new(core::ptr::null_mut());
static FUNCTION: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// What was found.
#[derive(Debug)]
pub struct Report {
    /// What depends on a secret, and where: addresses of instructions.
    pub leaks: BTreeSet<(u64, Leak)>,
    /// Addresses of the instructions of blocks of code that secrets went through.
    pub secret: BTreeSet<u64>,
    /// How many instructions were followed.
    pub instructions: u64,
}

impl Report {
    /// The leaks, with function and line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.leaks
            .iter()
            .map(|&(at, leak)| format!("{leak:?} at {}", name(at)))
            .collect()
    }
}

pub(crate) fn text(at: u64) -> String {
    let mut text = String::new();
    FastFormatter::new().format(&decode(at), &mut text);
    text
}

/// The functions that an instruction is of, inlined ones first.
fn name(at: u64) -> String {
    let mut names = vec![];
    backtrace::resolve(at as *mut _, |symbol| {
        let function = symbol
            .name()
            .map(|name| name.to_string())
            .unwrap_or_default();
        let file = symbol
            .filename()
            .map(|file| file.display().to_string())
            .unwrap_or_default();
        names.push(format!(
            "{function} ({file}:{})",
            symbol.lineno().unwrap_or(0)
        ));
    });
    format!("{at:x}: {}\n    in {}", text(at), names.join("\n    in "))
}

/// Runs a function and follows its secrets.
///
/// # Errors
/// What is missing here.
pub fn follow(function: fn()) -> Result<Report, &'static str> {
    let has = [
        is_x86_feature_detected!("bmi2"),
        is_x86_feature_detected!("avx512f"),
        is_x86_feature_detected!("avx512bw"),
        is_x86_feature_detected!("xsave"),
    ];
    if has.contains(&false) {
        return Err("no AVX-512 here");
    }
    IN_TOOL.store(true, Relaxed);
    let tool = match TOOL.load(Relaxed) {
        tool if tool.is_null() => Tool::start()?,
        tool => tool,
    };
    FUNCTION.store(function as *mut (), Relaxed);
    IN_TOOL.store(false, Relaxed);
    // SAFETY: `gs` is the base of the context, and the tool is the only one.
    #[allow(unsafe_code)]
    unsafe {
        enter(call);
        IN_TOOL.store(true, Relaxed);
        (*tool).drain();
        let follower = &mut (*tool).follower;
        let blocks = (*tool).translator.blocks.iter().zip(&mut follower.secret);
        let secret =
            blocks.filter_map(|(block, secret)| core::mem::take(secret).then_some(&block.steps));
        let secret = secret.flat_map(|steps| steps.iter().map(|step| step.at));
        let secret: Vec<u64> = secret.collect();
        let leaks = core::mem::take(&mut follower.leaks);
        let instructions = core::mem::take(&mut follower.count);
        IN_TOOL.store(false, Relaxed);
        // Copies of the program's own.
        Ok(Report {
            leaks: leaks.iter().copied().collect(),
            secret: secret.iter().copied().collect(),
            instructions,
        })
    }
}

extern "C" fn call() {
    // SAFETY: it was a function.
    #[allow(unsafe_code)]
    let function: fn() = unsafe { core::mem::transmute(FUNCTION.load(Relaxed)) };
    function();
}

/// Called where the code to go on with is not in the table.
extern "C" fn translate() {
    IN_TOOL.store(true, Relaxed);
    // SAFETY: the tool is there, and nothing else of it runs.
    #[allow(unsafe_code)]
    unsafe {
        let tool = TOOL.load(Relaxed);
        let target = (*tool).context.target;
        (*tool).context.target = (*tool).translator.place(target);
        let blocks = (*tool).translator.blocks.len();
        (*tool).follower.secret.resize(blocks, false);
    }
    IN_TOOL.store(false, Relaxed);
}

/// A fault: of the log, which is full, or of the program.
#[allow(unsafe_code)]
extern "C" fn fault(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the arguments are the system's, the tool is there, and only translated code, which
    // writes to the log, is interrupted.
    unsafe {
        let tool = &mut *TOOL.load(Relaxed);
        let at = (*info).si_addr() as usize;
        let end = tool.log as usize + LOG;
        if !(end..end + RECORD).contains(&at) {
            libc::signal(signal, libc::SIG_DFL);
            return;
        }
        IN_TOOL.store(true, Relaxed);
        tool.drain();
        let registers = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        registers[libc::REG_RAX as usize] = tool.log as i64;
        IN_TOOL.store(false, Relaxed);
    }
}

impl Tool {
    #[allow(unsafe_code)]
    fn start() -> Result<*mut Tool, &'static str> {
        let place = |size| match reserve(0, size) {
            place if place.is_null() => Err("no address space"),
            place => Ok(place),
        };
        let table = place(16 << TABLE_BITS)?.cast();
        let stack = place(STACK)? as u64 + STACK as u64;
        let mut thread = 0u64;
        const ARCH_SET_GS: i32 = 0x1001;
        const ARCH_GET_FS: i32 = 0x1003;
        // SAFETY: it writes one word.
        unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_GET_FS, &raw mut thread) };
        let log = place(LOG + RECORD)?;
        let mut context = Context::new(table, stack, place(4096)?, translate);
        context.log = log as u64;
        let tool = Tool {
            context,
            translator: Translator::new(table, thread),
            follower: Follower::new(thread).ok_or("no address space")?,
            log,
        };
        let tool = Box::into_raw(Box::new(tool));
        TOOL.store(tool, Relaxed);
        let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = fault;
        // SAFETY: the stack and the page after the log are the tool's own; `gs` is used by
        // nobody else on Linux.
        unsafe {
            libc::mprotect(log.add(LOG).cast(), RECORD, libc::PROT_NONE);
            let stack = libc::stack_t {
                ss_sp: place(STACK)?.cast(),
                ss_flags: 0,
                ss_size: STACK,
            };
            libc::sigaltstack(&raw const stack, core::ptr::null_mut());
            let mut action: libc::sigaction = core::mem::zeroed();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGSEGV, &raw const action, core::ptr::null_mut());
            libc::syscall(libc::SYS_arch_prctl, ARCH_SET_GS, &raw mut (*tool).context);
        }
        Ok(tool)
    }

    /// Goes through the log and begins it anew.
    #[allow(unsafe_code)]
    fn drain(&mut self) {
        let len = self.context.log as usize - self.log as usize;
        // SAFETY: the log, as far as it is written.
        let log = unsafe { core::slice::from_raw_parts(self.log, len) };
        self.follower.read(&self.translator.blocks, log);
        self.context.log = self.log as u64;
    }
}
