//! The library has a second interface, for numbers of OpenSSL, in the same object files. It is not
//! used, and these stand in for the functions that it would call.

macro_rules! never_called {
    ($($name:ident)+) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name() -> ! {
            std::process::abort()
        }
    )+ };
}

never_called! {
    BN_bin2bn BN_bn2lebinpad BN_is_word BN_num_bits ECDSA_SIG_get0
}
