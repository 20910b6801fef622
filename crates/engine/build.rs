//! With the feature `openssl-vendored`: configures and builds OpenSSL's `libcrypto` from the sources
//! in `openssl-src`, as OpenSSL's own instructions say, with its own optimisation flags.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "openssl-vendored")]
    vendored::build();
}

#[cfg(feature = "openssl-vendored")]
mod vendored {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    /// A static library, with the field arithmetic that only compilers with 128-bit integers can have,
    /// and without what is never measured.
    const OPTIONS: [&str; 7] = [
        "enable-ec_nistp_64_gcc_128",
        "no-shared",
        "no-module",
        "no-tests",
        "no-docs",
        "no-comp",
        "--libdir=lib",
    ];

    pub(super) fn build() {
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let build = out.join("build");
        let library = build.join("libcrypto.a");
        if !library.exists() {
            fs::create_dir_all(&build).expect("a folder to build in");
            let configure = openssl_src::source_dir().join("Configure");
            let target = target().into_iter().flatten();
            run(
                Command::new("perl")
                    .arg(configure)
                    .args(OPTIONS)
                    .args(target),
                &build,
            );
            let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "1".into());
            for target in ["build_generated", "libcrypto.a"] {
                run(Command::new("make").args(["-j", &jobs, target]), &build);
            }
        }
        println!("cargo::rustc-env=OPENSSL_OPTIONS={}", OPTIONS.join(" "));
        println!("cargo::rustc-link-search=native={}", build.display());
        println!("cargo::rustc-link-lib=static=crypto");
    }

    /// Its name for a target that is not this machine, and the beginning of the names of that one's tools.
    fn target() -> Option<[String; 2]> {
        let target = env::var("TARGET").expect("cargo sets TARGET");
        if env::var("HOST").is_ok_and(|host| host == target) {
            return None;
        }
        let name = match target.split_once('-').map_or("", |(cpu, _)| cpu) {
            "aarch64" => "linux-aarch64",
            "powerpc64le" => "linux-ppc64le",
            "riscv64gc" => "linux64-riscv64",
            "s390x" => "linux64-s390x",
            other => panic!("OpenSSL's name for {other} is not known here"),
        };
        let variable = format!("CC_{}", target.replace('-', "_"));
        let compiler = env::var(&variable).unwrap_or_else(|_| panic!("{variable} is not set"));
        let tools = compiler.strip_suffix("gcc").expect("a compiler of GNU");
        Some([name.into(), format!("--cross-compile-prefix={tools}")])
    }

    fn run(command: &mut Command, folder: &Path) {
        let status = command.current_dir(folder).status();
        match status {
            Ok(status) if status.success() => {}
            other => panic!("{command:?} in {}: {other:?}", folder.display()),
        }
    }
}
