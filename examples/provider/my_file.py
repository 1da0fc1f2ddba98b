"""My::File as a server, with the standard library only: python3 my_file.py PORT SECRET_FILE"""

import hashlib, hmac, json, os, re, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY_BYTES_MAX = 4_194_304
CLOCK_MS_MAX = 300_000

DESCRIPTION = {
    "protocol": 1,
    "name": "my-files-in-python",
    "types": {
        "My::File": {
            "description": "A text file.",
            "properties": {
                "path": {
                    "type": "string",
                    "required": True,
                    "constraints": [{"allowedPattern": "/.+"}],
                },
                "content": {"type": "string", "default": "", "updateAllowed": True},
            },
            "attributes": {"size": {"type": "integer", "description": "Its length in characters."}},
            "tokens": "kept",  # The path names the object, so a second call makes no second one.
            "functions": ["update", "check", "list"],
        }
    },
}


def write(path, content):
    with open(path, "w", newline="") as file:
        file.write(content)
    return {"state": "finished", "physicalId": path, "attributes": {"size": len(content)}}


def operate(action, physical_id, properties):
    """What the operation answers."""
    try:
        if action == "CREATE":
            return write(properties["path"], properties["content"])
        if action == "DELETE":
            os.remove(physical_id)
            return {"state": "finished"}
        with open(physical_id, newline="") as file:
            size = len(file.read())
        if action == "UPDATE":
            return write(physical_id, properties["content"])
        return {"state": "finished", "attributes": {"size": size}}
    except FileNotFoundError as error:
        return {"state": "failed", "reason": str(error)} if action == "CREATE" else {"state": "gone"}
    except OSError as error:
        return {"state": "failed", "reason": str(error)}


def list_files(properties):
    folder = os.path.dirname(properties["path"])
    return [os.path.join(folder, name) for name in os.listdir(folder)]


class Refused(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


class Seen:
    """The time of the latest request of each token, and the tokens that are worked on."""

    def __init__(self):
        self.lock, self.times, self.running = threading.Lock(), {}, set()

    def admit(self, token, sent, now):
        with self.lock:
            while self.times:  # The oldest is the first.
                oldest = next(iter(self.times))
                if self.times[oldest][1] > now:
                    break
                del self.times[oldest]
            if sent <= self.times.get(token, (0, 0))[0]:
                raise Refused(409, "replayed")
            if token in self.running:
                raise Refused(409, "busy")
            self.times.pop(token, None)
            self.times[token] = (sent, now + 2 * CLOCK_MS_MAX)
            self.running.add(token)

    def end(self, token):
        with self.lock:
            self.running.discard(token)


SEEN = Seen()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def checked_body(self):
        """The body and the time of a request whose signature is right."""
        length = int(self.headers.get("content-length") or 0)
        if length > BODY_BYTES_MAX:
            self.close_connection = True
            raise Refused(413, "too_large")
        body = self.rfile.read(length)
        sent = self.headers.get("hearth-time", "")
        digest = hashlib.sha256(body).hexdigest()
        text = "\n".join([self.command, self.path, sent, digest])
        wanted = hmac.new(self.server.secret, text.encode(), hashlib.sha256).hexdigest()
        given = self.headers.get("hearth-signature", "").encode("utf-8", "replace")
        if not hmac.compare_digest(wanted.encode(), given):
            raise Refused(401, "wrong_signature")
        now = int(time.time() * 1000)
        if not sent.isdigit() or abs(now - int(sent)) > CLOCK_MS_MAX:
            raise Refused(401, "wrong_time")
        return body, int(sent), now

    def answer(self):
        body, sent, now = self.checked_body()
        if (self.command, self.path) == ("GET", "/v1/describe"):
            return DESCRIPTION
        is_list = (self.command, self.path) == ("POST", "/v1/list")
        if not is_list and not (
            self.command == "PUT" and re.fullmatch(r"/v1/operations/[^/]+", self.path)
        ):
            raise Refused(404, "not_found")
        try:
            call = json.loads(body)
            kind, properties = call["type"], call["properties"]
            action, token = ("", "") if is_list else (call["action"], call["token"])
            physical_id = call.get("physicalId")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Refused(400, "bad_request") from None
        if kind not in DESCRIPTION["types"]:
            raise Refused(404, "unknown_type")
        if is_list:
            return list_files(properties)
        SEEN.admit(token, sent, now)
        try:
            return operate(action, physical_id, properties)
        finally:
            SEEN.end(token)

    def handle_request(self):
        try:
            status, value = 200, self.answer()
        except Refused as refused:
            status, value = refused.status, {"error": refused.code}
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_PUT = do_POST = handle_request

    def log_message(self, *_):
        """The log of requests stays empty."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """A connection that was cut is no news: the call comes again."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*_)


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
    with open(sys.argv[2]) as secret_file:
        server.secret = secret_file.read().strip().encode()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
