//! DER reader and writer, object identifiers, times and PEM.
