"""A server under load: its requests a second and the 99th percentile of its answers while it is traced."""
import os
import re
import signal
import subprocess
import time

from . import measure, tools
from .results import Table

PORT = 18573
CONFIGURATION = """
daemon off; master_process on; worker_processes 1; pid {0}/pid; error_log {0}/error;
events {{ worker_connections 256; }}
http {{ access_log {0}/access; root {0}; client_body_temp_path {0}/t; proxy_temp_path {0}/t; fastcgi_temp_path {0}/t;
        uwsgi_temp_path {0}/t; scgi_temp_path {0}/t; server {{ listen 127.0.0.1:{1}; }} }}
"""


def started():
    folder = os.path.join(tools.FOLDER, "nginx")
    os.makedirs(folder, exist_ok=True)
    os.chmod(tools.FOLDER, 0o755)
    for name, text in (("configuration", CONFIGURATION.format(folder, PORT)), ("index.html", "x" * 1000)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    server = subprocess.Popen(["nginx", "-c", os.path.join(folder, "configuration")], stderr=subprocess.DEVNULL)
    time.sleep(1)
    return server


def attached(words):
    """A tracer of the server's worker."""
    if not words:
        return None
    worker = subprocess.run(["pgrep", "-f", "nginx: worker"], stdout=subprocess.PIPE, check=True).stdout.split()[0]
    tracer = subprocess.Popen([*words, "-p", worker.decode()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    return tracer


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def load(words):
    tracer = attached(words)
    got = measure.run(["wrk", "-t1", "-c16", "-d3s", "--latency", "http://127.0.0.1:%d/" % PORT]).stdout.decode()
    if tracer:
        if tracer.poll() is not None:
            raise measure.Failed("%s ended" % words[0])
        tracer.send_signal(signal.SIGINT)
        tracer.wait()
    return float(re.search(r"Requests/sec: +([\d.]+)", got)[1]), milliseconds(re.search(r" 99% +(\S+)", got)[1])


def run():
    if not tools.has("nginx") or not tools.has("wrk"):
        return
    kinds = {tool: words for tool, words in tools.call_tracers().items() if tool != "bpftrace"}
    late = {tool: [] for tool in kinds}

    def requests(tool):
        rate, worst = load(kinds[tool])
        late[tool].append(worst)
        return rate

    server = started()
    try:
        rates = measure.interleaved({tool: lambda tool=tool: requests(tool) for tool in kinds}, min(measure.ROUNDS, 3))
    finally:
        server.terminate()
        server.wait()
    about = "One nginx worker, a file of 1,000 bytes, wrk with 16 connections for three seconds. All calls in a file."
    yield Table("nginx under load", "requests/s", about, {"nginx": rates}, better="more")
    yield Table("nginx's slow answers", "ms", "The 99th percentile of the same runs.",
                {"nginx": {tool: measure.statistics.median(late[tool]) for tool in rates}})
