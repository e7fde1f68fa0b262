# SPDX-License-Identifier: MIT
"""The studio's server as a stranger sees it: who is answered, what can be read and written, and what
a child's end does to it. Called by tests/studio.sh with the program and the folder of the examples."""
import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<model name="charge" xmlns="urn:linnet:model:1">
  <parameter name="R" value="1 kOhm"/>
  <ground id="gnd" p="0"/>
  <voltage-source id="V1" p="in" n="0" V="1 V"/>
  <resistor id="R1" p="in" n="out" R="R"/>
  <capacitor id="C1" p="out" n="0" C="1 uF"/>
  <simulation duration="5 ms" step="5 us"/>
  <record signals="out"/>
</model>
"""
LONG = MODEL.replace('step="5 us"', 'step="20 ps"')

failures = []


def expect(holds, what):
    if not holds:
        print("FAILED:", what)
        failures.append(what)


class Server:
    def __init__(self, program, folder, *arguments, limits=""):
        """limits: what a shell does first, as ulimit."""
        self.process = subprocess.Popen(["sh", "-c", f'{limits}\nexec "$@"', "sh", program, "studio", "--no-browser",
                                         "--quiet", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True)
        address = self.process.stdout.readline().strip()
        self.port, self.token = int(address.split(":")[2].split("/")[0]), address.split("/")[3]

    def ask(self, path, body=None, headers=None, method=None, token=None):
        """Status, headers and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        all_headers = {"Content-Type": "application/json"} if body is not None else {}
        all_headers.update(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        connection.request(method or ("POST" if body is not None else "GET"),
                           f"/{token or self.token}/{path}", body=body, headers=all_headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, answer.headers, data

    def json(self, path, body=None):
        return json.loads(self.ask(path, body)[2])

    def events(self, path, body):
        """The events of a run, one after the other."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", f"/{self.token}/{path}", body=json.dumps(body),
                           headers={"Content-Type": "application/json"})
        answer = connection.getresponse()
        while line := answer.readline():
            if line.strip():
                yield json.loads(line)

    def children(self):
        path = f"/proc/{self.process.pid}/task"
        found = []
        for task in os.listdir(path):
            try:
                with open(f"{path}/{task}/children", encoding="ascii") as file:
                    found += file.read().split()
            except FileNotFoundError:
                pass  # a thread that has ended meanwhile
        return [int(pid) for pid in found]

    def is_alive(self):
        return self.process.poll() is None and self.ask("api/start")[0] == 200


def who_is_answered(server):
    status, headers, data = server.ask("")
    expect(status == 200 and b"<title>Linnet studio" in data, "the page is served")
    policy = headers["Content-Security-Policy"]
    expect("default-src 'none'" in policy and "script-src 'self';" in policy, "scripts of its own only")
    expect(server.ask("page/studio.js")[0] == 200 and server.ask("lib/lib/codemirror.js")[0] == 200
           and server.ask("plot.js")[0] == 200, "the page's parts are served")
    for path in ("lib/../page/studio.js", "lib/lib/../../../../../etc/passwd", "page/none.js",
                 "page/../../COPYING", "lib/%2e%2e/x", "api/none"):
        expect(server.ask(path)[0] == 404, f"{path} is not there")
    wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
    for token in (wrong, "x", server.token[:-1], server.token + "0", "api"):
        expect(server.ask("api/start", token=token)[0] == 404, f"token {token} is wrong")
    for host in ("example.org", f"example.org:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port}0"):
        expect(server.ask("", headers={"Host": host})[0] == 403, f"host {host} is refused")
    expect(server.ask("", headers={"Host": f"localhost:{server.port}"})[0] == 200, "localhost is we")
    for origin in ("http://example.org", "null", f"https://127.0.0.1:{server.port}",
                   f"http://127.0.0.1:{server.port}0"):
        expect(server.ask("api/start", headers={"Origin": origin})[0] == 403, f"{origin} is refused")
    own = {"Origin": f"http://127.0.0.1:{server.port}", "Sec-Fetch-Site": "same-origin"}
    expect(server.ask("api/start", headers=own)[0] == 200, "its own page is answered")
    expect(server.ask("api/start", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403, "no other site")
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    expect(server.ask("", headers=link)[0] == 200, "a link from elsewhere leads to the page")
    link["Origin"] = "null"
    expect(server.ask("api/check", "{}", headers=link)[0] == 403, "but a form from elsewhere nowhere")
    with open("/proc/net/tcp", encoding="ascii") as file:
        bound = [line.split()[1] for line in file if f":{server.port:04X} " in line.split()[1] + " "]
    expect(bound and all(one.startswith("0100007F:") for one in bound), "it listens on 127.0.0.1 alone")


def what_is_malformed(server):
    for body, status in (("{", 400), ("", 400), ("[1]", 400), ('{"a":1,"a":2}', 400),
                         ("[" * 100000, 400), ('{"text":"\\ud800"}', 400)):
        expect(server.ask("api/check", body)[0] == status, f"{body[:20]!r} gives {status}")
    plain = {"Content-Type": "text/plain"}
    expect(server.ask("api/check", "{}", headers=plain)[0] == 415, "a form's type is refused")
    expect(server.ask("api/start", method="DELETE")[0] == 405, "DELETE is refused")
    expect(server.ask("api/start", "{}")[0] == 405 and server.ask("api/check")[0] == 405, "GET or POST")
    for body in ({"text": 5, "set": [1], "how": "x"}, {"set": {"R": 5}}, {"path": "../x", "text": ""}):
        expect(server.ask("api/check", body)[0] in (200, 403), f"{body} is answered")
    with socket.create_connection(("127.0.0.1", server.port)) as one:
        one.sendall(f"POST /{server.token}/api/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                    "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n".encode())
        expect(b" 413 " in one.recv(200), "a huge body is refused at its head")
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as one:
        one.sendall(f"POST /{server.token}/api/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                    "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        piece, ended = b"100000\r\n" + b" " * 0x100000 + b"\r\n", False
        try:
            for _ in range(200):
                one.sendall(piece)
            ended = one.recv(1) == b""
        except OSError:
            ended = True
        expect(ended, "an endless body is cut off")
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: " + b"x" * 200000 + b"\r\n\r\n")
        expect(b"HTTP/1.1 4" in one.recv(200), "a huge head is refused")
    expect(server.is_alive(), "all of that is survived")


def what_is_read_and_written(server, folder, outside):
    os.mkdir(f"{folder}/inner")
    os.symlink(outside, f"{folder}/way-out")
    os.symlink(f"{outside}/secret.xml", f"{folder}/link.xml")
    os.mkfifo(f"{folder}/pipe.xml")
    with open(f"{folder}/latin.xml", "wb") as file:
        file.write(b"<model name='\xe9'/>")
    saved = server.json("api/save", {"path": "inner/a.xml", "text": MODEL + "µ\r\n"})
    with open(f"{folder}/inner/a.xml", "rb") as file:
        expect(file.read() == (MODEL + "µ\r\n").encode(), "a file is written as it was sent")
    read = server.json("api/file?path=inner/a.xml")
    expect(read == {"text": MODEL + "µ\r\n", "stamp": saved["stamp"]}, "and read again")
    expect("inner/a.xml" in server.json("api/files")["files"], "and listed")
    expect(server.ask("api/save", {"path": "inner/a.xml", "text": "x"})[0] == 409, "no file is lost")
    with open(f"{folder}/inner/a.xml", "a", encoding="utf-8") as file:
        file.write(" ")
    expect(server.ask("api/save", {"path": "inner/a.xml", "text": "x", "stamp": saved["stamp"]})[0] == 409,
           "nor what another program wrote")
    os.chmod(f"{folder}/inner/a.xml", 0o640)
    expect(server.ask("api/save", {"path": "inner/a.xml", "text": MODEL, "overwrite": True})[0] == 200
           and os.stat(f"{folder}/inner/a.xml").st_mode & 0o777 == 0o640, "permissions stay")
    escapes = ["../a.xml", f"{outside}/a.xml", "/etc/passwd", "inner/../../a.xml", "way-out/a.xml",
               "link.xml", ".hidden.xml", "inner/.x/a.xml", "a.sh", "inner", "", "a\n.xml", "a\\b.xml",
               "none/a.xml", "pipe.xml", "inner//a.xml", "./a.xml", "x" * 300 + ".xml"]
    for path in escapes:
        expect(server.ask("api/save", {"path": path, "text": "x", "overwrite": True})[0] >= 400,
               f"{path[:40]!r} is not written")
        query = path.encode().hex()
        query = "".join(f"%{query[k:k + 2]}" for k in range(0, len(query), 2))
        expect(server.ask(f"api/file?path={query}")[0] >= 400, f"{path[:40]!r} is not read")
        if path:
            expect(server.ask("api/check", {"path": path + "/x.xml", "text": MODEL})[0] >= 400
                   or path in ("inner", "a.sh"), f"no child works in {path[:40]!r}")
    expect(server.ask("api/file?path=latin.xml")[0] == 413, "what is no UTF-8 is not opened")
    expect(sorted(os.listdir(outside)) == ["secret.xml"], "nothing stands outside")
    with open(f"{outside}/secret.xml", encoding="utf-8") as file:
        expect(file.read() == "<model name='secret'/>", "what stood outside is as it was")
    told = server.json("api/check", {"text": MODEL.replace(
        "<ground", '<include href="../outside/secret.xml"/><ground')})
    expect(told["status"] != 0, "a model includes nothing from outside")
    expect(not [name for name in server.json("api/files")["files"] if "secret" in name or "link" in name],
           "links are not listed")
    examples = server.json("api/files")["examples"]
    expect("electrical/rc-step.xml" in examples, "examples are listed")
    expect(server.ask("api/save", {"path": "electrical/rc-step.xml", "text": "x"})[0] == 404,
           "an example is not written")


def what_the_page_shows(server):
    drawn = server.json("api/diagram", {"text": MODEL})
    expect(drawn["status"] == 0 and "<svg" in drawn["wrote"] and ">R1<" in drawn["wrote"], f"a drawing: {drawn}"[:300])
    looped = server.json("api/diagram", {"text": MODEL, "loops": True})
    expect(looped["status"] == 0 and "<svg" in looped["wrote"], "a drawing with its loops")
    wrong = server.json("api/diagram", {"text": MODEL.replace("resistor", "resistorr")})
    expect("-:6: error: R1: there is no block type 'resistorr'" in wrong["said"], f"what cannot be drawn is told: {wrong['said']}")
    types = json.dumps(server.json("api/blocks", {}))
    expect('"resistor"' in types and '"own"' not in types, "the catalogue")
    own = MODEL.replace("<ground", '<block-type name="own"><output name="y"/><equation>y = 1</equation></block-type><ground')
    expect('"own"' in json.dumps(server.json("api/blocks", {"text": own})), "with a model's own types")
    broken = server.ask("api/blocks", {"text": "<model>"})
    expect(broken[0] == 422 and b"error" in broken[2], f"of a model that cannot be read: {broken}")
    expect("simulation" in json.dumps(server.json("api/language", {})), "what is no block type")


def what_a_page_may_ask(server):
    """How a run is wanted, pictures of several results, of cases of a sweep and of its table; nonsense in each."""
    how = {"duration": "2 ms", "step": "10 us", "method": "crank-nicolson", "interval": "20 us"}
    run = list(server.events("api/run", {"text": MODEL, "how": how, "set": {"R": 5}}))
    expect(run[-1] == {"done": 0} and server.json(f"api/signals?result={run[0]['result']}")["rows"] == 101,
           f"a run as it is wanted, what is no text apart: {run}")
    other = list(server.events("api/run", {"text": MODEL}))[0]["result"]
    two = {"results": [run[0]["result"], other, 7, "run-999"], "signals": ["out", 5, ""]}
    panels = server.json("api/plot", {**two, "how": {"dark": True, "from": "0", "to": "1 ms", "log": ""}})
    expect(len(panels[0]["curves"]) == 2 and max(panels[0]["curves"][0]["x"]) <= 1.0001, f"two results: {panels}"[:300])
    sweep = list(server.events("api/sweep", {"text": MODEL, "vary": {"R": "1kOhm:4kOhm:4"},
                                             "measure": {"m": "final(out)"}}))[0]["result"]
    table = server.json("api/plot", {"sweep": sweep, "table": True, "signals": ["m"], "how": {"against": "R"}})
    expect(len(table[0]["curves"][0]["y"]) == 4, f"the table of a sweep: {table}"[:300])
    fan = server.json("api/plot", {"sweep": sweep, "cases": [2, -1, 10**18, "x"], "signals": ["out"], "how": {"colour": "R"}})
    expect("error" in fan, f"a case that is none: {fan}"[:300])
    expect(server.ask("api/plot", {})[0] == 422 and server.ask("api/plot", {"results": 5, "how": 7})[0] == 422,
           "nothing to draw")
    expect(server.ask("api/download")[0] == 404 and server.ask("api/table?result=sweep-999")[0] == 404, "no result")
    server.json("api/drop", {"result": sweep})
    server.json("api/drop", {"result": "../run-1"})
    server.json("api/drop", {})
    expect(server.ask(f"api/table?result={sweep}")[0] == 404, "what is dropped is gone")
    example = server.json("api/file?path=electrical/rc-step.xml&place=examples")["text"]
    expect("<model" in example and server.ask("api/file?path=a.xml&place=x")[0] == 403 and server.ask("api/file")[0] == 403,
           "examples are read, other places not")
    told = server.json("api/check", {"text": example, "path": "electrical/rc-step.xml", "place": "examples"})
    expect(told["status"] == 0, "and checked")


def what_runs_short(program, folder):
    """Files that may grow no further, descriptors that run out: told, and the server goes on."""
    server = Server(program, folder, limits="ulimit -f 2")  # 1024 bytes, of the results, too
    large = MODEL.replace("<ground", "<!--" + "x" * 4000 + "--><ground")
    expect(server.ask("api/save", {"path": "large.xml", "text": MODEL})[0] == 200, "what is small is saved")
    refused = server.ask("api/save", {"path": "large.xml", "text": large, "overwrite": True})
    expect(refused[0] == 500 and b"File too large" in refused[2], f"what is not written is told: {refused}")
    with open(f"{folder}/large.xml", encoding="utf-8") as file:
        expect(file.read() == MODEL and not [n for n in os.listdir(folder) if "part" in n], "the file is as it was")
    refused = server.ask("api/check", {"text": large})
    expect(refused[0] == 500 and b"File too large" in refused[2], f"a child that cannot be told: {refused}")
    ran = list(server.events("api/run", {"text": MODEL}))
    expect(ran[-1] == {"done": 5}, f"a result that is too large: {ran}")
    expect(server.is_alive(), "the server goes on")
    server.process.terminate()
    expect(server.process.wait(20) == 0, "and ends")
    server = Server(program, folder)
    expect(server.ask("api/save", {"path": "huge.xml", "text": "x" * (9 << 20)})[0] == 413, "9 MiB are too much")
    with open(f"{folder}/huge.xml", "w", encoding="utf-8") as file:
        file.write("<model>" + " " * (9 << 20))
    expect(server.ask("api/file?path=huge.xml")[0] == 413, "and are not read")
    # as many descriptors as it holds: none is left for a child, or even for who asks
    soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (12, hard))
    answers = [server.ask("api/check", {"text": MODEL})[0] for _ in range(3)]
    held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    time.sleep(0.2)
    for one in held:
        one.close()
    expect(set(answers) <= {200, 500}, f"descriptors run out: {answers}")
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
    end = time.time() + 20
    while time.time() < end:
        try:
            if server.is_alive():
                break
        except OSError:
            time.sleep(0.1)
    expect(server.is_alive(), "and it answers again")
    taken = subprocess.run([program, "studio", "--no-browser", "--port", str(server.port)], cwd=folder,
                           stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    expect(taken.returncode == 5 and "cannot be served" in taken.stderr, f"a port that is taken: {taken}")
    server.process.terminate()
    expect(server.process.wait(20) == 0, "it ends")
    gone = subprocess.run([program, "studio", "--no-browser"], cwd=folder, stderr=subprocess.PIPE, text=True, timeout=60,
                          check=False, env=dict(os.environ, TMPDIR=f"{folder}/none"))
    expect(gone.returncode == 5 and "cannot make a folder for results" in gone.stderr, f"no folder for results: {gone}")


def how_many_results_are_kept(server):
    """64: the one before goes with the next."""
    short = {"text": MODEL.replace('duration="5 ms"', 'duration="10 us"')}
    names = [list(server.events("api/run", short))[0]["result"] for _ in range(66)]
    expect(server.ask(f"api/signals?result={names[0]}")[0] == 404, "the first result is gone")
    expect(server.ask(f"api/signals?result={names[2]}")[0] == 200 and
           server.ask(f"api/signals?result={names[-1]}")[0] == 200, "the last 64 are kept")


def how_runs_end(server):
    events = list(server.events("api/run", {"text": MODEL}))
    name = events[0]["result"]
    expect(events[-1] == {"done": 0}, f"a run ends: {events[-1]}")
    listed = server.json(f"api/signals?result={name}")
    expect(listed["signals"][0]["name"] == "out" and listed["signals"][0]["unit"] == "V", "its signals")
    panels = server.json("api/plot", {"results": [name], "signals": ["out"]})
    expect(abs(max(panels[0]["curves"][0]["y"]) - 993.26) < 0.1, "its curve ends at 1 - exp(-5), in mV")
    expect(server.ask(f"api/download?result={name}")[2].startswith(b"time,out\n"), "it is kept as CSV")
    for other in ("run-999", "../run-1", "run-1/..", "run-01", "sweep-", "run-", ""):
        expect(server.ask(f"api/signals?result={other}")[0] == 404, f"there is no result {other!r}")
    events = list(server.events("api/run", {"text": MODEL, "set": {"R": "2 kOhm"}}))
    half = server.json(f"api/signals?result={events[0]['result']}")["signals"][0]["last"]
    expect(abs(half - 0.917915) < 1e-5, f"a value that is set acts: {half}")
    events = list(server.events("api/run", {"text": MODEL.replace("resistor", "resistorr")}))
    expect(events[-1] == {"done": 3} and any("-:6: error:" in e.get("line", "") for e in events),
           "a wrong model is told by line")
    events = list(server.events("api/run", {"text": MODEL, "set": {"--output=/tmp/x;R": "1"}}))
    expect(events[-1] == {"done": 2}, "a name is a name, no option")
    sweep = list(server.events("api/sweep", {"text": MODEL, "vary": {"R": "1kOhm:2kOhm:3"},
                                             "measure": {"m": "final(out)"}}))
    table = server.ask(f"api/table?result={sweep[0]['result']}")[2].decode().splitlines()
    expect(sweep[-1] == {"done": 0} and len(table) == 4, f"a sweep has a row for each case: {table}")
    fan = server.json("api/plot", {"sweep": sweep[0]["result"], "cases": [1, 2, 3], "signals": ["out"]})
    expect([c["name"] for c in fan[0]["curves"]] == ["R = 1000", "R = 1500", "R = 2000"], "and a fan")

    seen, stopped = [], False
    for event in server.events("api/run", {"text": LONG}):
        seen.append(event)
        if not stopped and "progress: " in event.get("line", ""):
            stopped = True
            expect(server.json("api/stop", {"result": seen[0]["result"]})["found"], "a run is found")
    expect(stopped and seen[-1] == {"done": 130}, f"a run is cancelled on its way: {seen[-1]}")
    expect(server.json(f"api/signals?result={seen[0]['result']}")["rows"] > 0, "its beginning is kept")
    expect(not server.json("api/stop", {"result": seen[0]["result"]})["found"], "it is gone")

    killed = False
    for event in server.events("api/run", {"text": LONG}):
        last = event
        if not killed and "progress: " in event.get("line", ""):
            killed = True
            for pid in server.children():
                os.kill(pid, signal.SIGKILL)
    expect(last == {"done": 137}, f"a child that is killed is told: {last}")
    expect(server.is_alive(), "its end is not the server's")

    body = json.dumps({"text": LONG}).encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as one:
        one.sendall(f"POST /{server.token}/api/run HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                    f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        while b"progress" not in one.recv(4096):
            pass
        expect(len(server.children()) == 1, "one child works")
    end = time.time() + 20
    while server.children() and time.time() < end:
        time.sleep(0.05)
    expect(not server.children(), "a run nobody listens to is ended")

    slow = MODEL.replace("<ground", '<repeat index="k" from="1" to="400000"><resistor id="Q[k]" p="in" n="0"'
                         ' R="1 kOhm"/></repeat><ground')
    first = []
    asking = threading.Thread(target=lambda: first.append(
        server.json("api/check", {"text": slow, "page": "p1"})["status"]))
    asking.start()
    end = time.time() + 20
    while not server.children() and asking.is_alive() and time.time() < end:
        time.sleep(0.001)
    expect(server.json("api/check", {"text": MODEL, "page": "p2"})["status"] == 0, "another page waits not")
    server.json("api/check", {"text": MODEL, "page": "p1"})
    asking.join()
    expect(first[0] == 137, f"what a page asks anew it wants no more as before: {first}")

    streams = [server.events("api/run", {"text": LONG}) for _ in range(9)]
    names = [next(stream) for stream in streams]
    expect("error" in names[-1] and all("result" in name for name in names[:-1]), "eight at once, no more")


def main():
    program, examples = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as work:
        folder, outside, private = f"{work}/folder", f"{work}/outside", f"{work}/private"
        for path in (folder, outside, private):
            os.mkdir(path)
        with open(f"{outside}/secret.xml", "w", encoding="utf-8") as file:
            file.write("<model name='secret'/>")
        os.environ["TMPDIR"] = private
        server = Server(program, folder, "--examples", examples)
        other = Server(program, folder)
        expect(len(server.token) == 32 and server.token != other.token, "each server has its own token")
        other.process.send_signal(signal.SIGTERM)
        expect(other.process.wait(20) == 0, "SIGTERM ends it")
        try:
            who_is_answered(server)
            what_is_malformed(server)
            what_is_read_and_written(server, folder, outside)
            what_the_page_shows(server)
            what_a_page_may_ask(server)
            how_many_results_are_kept(server)
            how_runs_end(server)
            expect(len(server.children()) == 8, "eight children work still")
            results = os.path.join(private, os.listdir(private)[0])
            expect(os.stat(results).st_mode & 0o777 == 0o700, "results stand in a private folder")
            with open(f"{results}/open.html", encoding="utf-8") as file:
                expect(server.token in file.read(), "a browser is led to the page by a private file")
        finally:
            children = server.children()
            server.process.send_signal(signal.SIGINT)
            expect(server.process.wait(20) == 0, "Ctrl-C ends it")
        expect(not [pid for pid in children if os.path.exists(f"/proc/{pid}")], "its children with it")
        expect(os.listdir(private) == [], "and the results go with it")
        what_runs_short(program, folder)
        expect(os.listdir(private) == [], "nothing is left")
    sys.exit(1 if failures else 0)


main()
