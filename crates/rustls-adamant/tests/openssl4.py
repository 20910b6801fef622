"""One end of a TLS connection with OpenSSL, as pyOpenSSL has it.

openssl4.py version                    the version of the library
openssl4.py server CHAIN KEY           prints the port, takes one connection, sends back a message
openssl4.py client PORT ROOT           verifies the server, sends a message, awaits it again

Both print the suite and the group. OPENSSL_CONF chooses groups and suites.
"""

import socket
import sys

from OpenSSL import SSL

MESSAGE = bytes(range(256)) * 100


def told(connection):
    name = connection.get_cipher_name()
    group = getattr(connection, "get_group_name", lambda: None)()
    print(name, group, flush=True)


def receive(connection):
    message = b""
    while len(message) < len(MESSAGE):
        message += connection.recv(1 << 16)
    return message


def context():
    made = SSL.Context(SSL.TLS_METHOD)
    made.set_min_proto_version(SSL.TLS1_3_VERSION)
    return made


def server(chain, key):
    made = context()
    made.use_certificate_chain_file(chain)
    made.use_privatekey_file(key)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    accepted, _ = listener.accept()
    connection = SSL.Connection(made, accepted)
    connection.set_accept_state()
    connection.do_handshake()
    told(connection)
    connection.sendall(receive(connection))
    connection.shutdown()


def client(port, root):
    made = context()
    made.load_verify_locations(root)
    made.set_verify(SSL.VERIFY_PEER, lambda _c, _x, _e, _d, ok: ok)
    connection = SSL.Connection(made, socket.create_connection(("127.0.0.1", int(port))))
    connection.set_tlsext_host_name(b"localhost")
    connection.set_connect_state()
    connection.do_handshake()
    told(connection)
    connection.sendall(MESSAGE)
    assert receive(connection) == MESSAGE


if sys.argv[1] == "version":
    print(SSL.SSLeay_version(SSL.SSLEAY_VERSION).decode())
else:
    {"server": server, "client": client}[sys.argv[1]](*sys.argv[2:])
