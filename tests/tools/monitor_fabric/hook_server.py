#!/usr/bin/env python3
"""A receiver of webhooks whose behavior is set in a file.

usage: hook_server.py LOG MODE [CERTIFICATE KEY]

Prints its port. Appends each request to LOG as a line of JSON: mode, path, authorization and body. The content of the file MODE when a
request arrives says how the server answers: "take" (status 200), a number (that status), "hang" (no answer), "flood" (an endless body) or
"redirect" (to itself). With CERTIFICATE and KEY, the server speaks TLS.
"""
import http.server
import json
import ssl
import sys
import time

log_name, mode_name = sys.argv[1:3]


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        with open(mode_name) as file:
            mode = file.read().strip()
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with open(log_name, "a") as log:
            entry = {"mode": mode, "path": self.path, "authorization": self.headers["Authorization"], "body": json.loads(body)}
            log.write(json.dumps(entry) + "\n")
        try:
            self.answer(mode)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    def answer(self, mode):
        if mode == "hang":
            time.sleep(600)
        self.send_response({"take": 200, "redirect": 307, "flood": 503}.get(mode) or int(mode))
        if mode == "redirect":
            self.send_header("Location", self.path)
        if mode != "flood":
            self.send_header("Content-Length", "0")
        self.end_headers()
        while mode == "flood":
            self.wfile.write(b"x" * 65536)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
