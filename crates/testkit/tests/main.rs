//! The proof that the check catches what it must.

mod taint;
