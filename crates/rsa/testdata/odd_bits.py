"""Writes odd_bits.txt: keys whose moduli are no whole octets, with primes of two lengths, and what
OpenSSL makes with them (Python's `cryptography`).

    python3 odd_bits.py > odd_bits.txt
"""

import random

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

MESSAGE = b"attack at dawn"


def pss(digest, salt):
    return padding.PSS(padding.MGF1(digest), salt)


def oaep(digest, label):
    return padding.OAEP(padding.MGF1(digest), digest, label)


def is_prime(n):
    return pow(2, n - 1, n) == 1 and all(pow(a, n - 1, n) == 1 for a in (3, 5, 7))


def prime(bits):
    while True:
        p = random.SystemRandom().getrandbits(bits) | 1 << bits - 1 | 1
        if p % 65537 != 1 and is_prime(p):
            return p


def generate(bits, p_bits, q_bits):
    while True:
        p, q = prime(p_bits), prime(q_bits)
        if (p * q).bit_length() == bits:
            break
    d = pow(65537, -1, (p - 1) * (q - 1))
    return rsa.RSAPrivateNumbers(
        p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(65537, p * q)
    ).private_key()


for bits, p_bits, q_bits in [
    (2049, 1025, 1024),
    (2050, 1025, 1025),
    (2055, 1027, 1028),
    (2057, 1030, 1027),
    (3071, 1536, 1536),
    (3073, 1536, 1537),
]:
    key = generate(bits, p_bits, q_bits)
    public = key.public_key()
    assert public.key_size == bits
    sha256, sha512 = hashes.SHA256(), hashes.SHA512()
    longest = padding.calculate_max_pss_salt_length(key, sha512)
    values = {
        "bits": str(bits),
        "key": key.private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        ).hex(),
        "pkcs1_sha256": key.sign(MESSAGE, padding.PKCS1v15(), sha256).hex(),
        "pss_sha256_32": key.sign(MESSAGE, pss(sha256, 32), sha256).hex(),
        "pss_sha256_0": key.sign(MESSAGE, pss(sha256, 0), sha256).hex(),
        f"pss_sha512_{longest}": key.sign(MESSAGE, pss(sha512, longest), sha512).hex(),
        "oaep_sha256": public.encrypt(b"a key", oaep(sha256, b"label")).hex(),
        "oaep_sha512": public.encrypt(b"", oaep(sha512, None)).hex(),
        "encrypted": public.encrypt(b"a key", padding.PKCS1v15()).hex(),
    }
    for name, value in values.items():
        print(f"{name} = {value}")
    print()
