"""Chromium by its WebDriver, headless: what the tests and the benchmark of the page need of it."""
import base64
import json
import subprocess
import sys
import urllib.error
import urllib.request

SECONDS = 300    # for a script, on a machine that does other things besides
# Answers once the page is there, or says why it is not.
OPENED = """
const done = arguments[arguments.length - 1];
const look = () => (globalThis.treefork || !document.getElementById('failure').hidden ? done(true) : setTimeout(look, 20));
look();"""


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.address = "http://127.0.0.1:" + line.split()[-1].rstrip(".")
                break
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900",
                            "--disable-dev-shm-usage"]}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "timeouts": {"script": 1000 * SECONDS}, "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = "/session/" + session["sessionId"]

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"{path}: {error.read().decode()[:2000]}")

    def open(self, path):
        self.call("POST", self.session + "/url", {"url": "file://" + path})
        self.run_later(OPENED)

    def run(self, script, *arguments):
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def run_later(self, script, *arguments):
        """A script that gives its answer to the function behind its arguments."""
        return self.call("POST", self.session + "/execute/async", {"script": script, "args": list(arguments)})

    def keys(self, text):
        active = self.call("GET", self.session + "/element/active")
        self.call("POST", f"{self.session}/element/{next(iter(active.values()))}/value", {"text": text})

    def log(self, kind):
        return self.call("POST", self.session + "/se/log", {"type": kind})

    def emulate(self, width, height, scheme):
        for command, parameters in (
                ("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800}),
                ("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})):
            self.call("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def close(self):
        self.call("DELETE", self.session)
        self.driver.kill()
