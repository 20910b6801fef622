//! X.509 keys, certificates, requests, CRLs and OCSP.
