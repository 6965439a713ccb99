"""Answers /NNN and everything below it with the HTTP status NNN, on a loopback port
whose number it writes to the file that its argument names."""
import http.server
import os
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        first = self.path.split("/")[1]
        status = int(first) if first.isdigit() else 404
        body = b'{"error": "status %d"}\n' % status
        self.send_response(status)
        if status in (429, 503):
            self.send_header("Retry-After", "60")
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_POST = do_PUT = do_GET

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
