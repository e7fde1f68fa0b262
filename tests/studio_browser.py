# SPDX-License-Identifier: MIT
"""linnet studio in headless Chromium, end to end: what a user does, and what the user then sees.

Called by tests/studio_browser.sh with the program and the folder of the examples. With LINNET_SHOTS
set to a folder, pictures of the page go there."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PATIENCE = 30  # s: the machine may be busy


class Studio:
    """A studio in a folder of its own, and a browser that shows it."""

    def __init__(self, program, examples):
        self.folder = tempfile.mkdtemp(prefix="linnet-studio-test-")
        shutil.copy(os.path.join(examples, "electrical/rc-step.xml"), self.folder)
        self.server = subprocess.Popen(
            [program, "studio", "rc-step.xml", "--no-browser", "--quiet", "--examples", examples],
            cwd=self.folder, stdout=subprocess.PIPE, text=True)
        self.address = self.server.stdout.readline().strip()
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--window-size=1500,1000"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    def close(self):
        self.browser.quit()
        self.server.terminate()
        self.server.wait(10)
        shutil.rmtree(self.folder)

    # ---- what a user does ----

    def open(self):
        self.browser.get(self.address)
        self.wait("document.body.dataset.ready === 'yes'")
        self.wait("document.body.dataset.check === 'good'")

    def click(self, selector):
        self.wait(f"document.querySelector({selector!r}) !== null")
        self.browser.find_element(By.CSS_SELECTOR, selector).click()

    def keys(self, *keys):
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def type(self, selector, text):
        field = self.browser.find_element(By.CSS_SELECTOR, selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)

    def enter(self, selector, text):
        self.type(selector, text)
        self.browser.find_element(By.CSS_SELECTOR, selector).send_keys(Keys.TAB)

    def set_text(self, text):
        self.js("document.body.dataset.check = ''; linnetStudio.editor.setValue(arguments[0])", text)

    def replace(self, old, new):
        assert old in self.text(), f"{old} is not in the text"
        self.set_text(self.text().replace(old, new))

    def slide(self, selector, value):
        """Moves a slider, as a hand on it does."""
        self.js("""const s = document.querySelector(arguments[0]); s.value = arguments[1];
                   s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change'));""",
                selector, value)

    def run(self):
        before = self.runs()
        self.click("#run")
        self.until(lambda: len(self.runs()) > len(before) and self.curves(), "a run's curves")

    # ---- what a user sees ----

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def until(self, test, what):
        end = time.time() + PATIENCE
        while time.time() < end:
            found = test()
            if found:
                return found
            time.sleep(0.05)
        self.shot("failed")
        raise AssertionError(f"no {what}; the page says: {self.state()!r}")

    def wait(self, condition):
        return self.until(lambda: self.js(f"return {condition}"), condition)

    def text(self):
        return self.js("return linnetStudio.editor.getValue()")

    def state(self):
        return self.js("return document.getElementById('state')?.textContent")

    def runs(self):
        return self.js("return [...document.querySelectorAll('#runs button')].map(b => b.textContent)")

    def curves(self):
        """{name: [[x, y], ...]} of all curves drawn."""
        return self.js("""return Object.fromEntries(linnetStudio.panels().flatMap(p => p.curves.map(c =>
            [c.name || p.y.label.replace(/ [(].*/, ''), c.x.map((x, k) => [x, c.y[k]])])))""")

    def shot(self, name):
        folder = os.environ.get("LINNET_SHOTS")
        if folder:
            self.browser.save_screenshot(os.path.join(folder, f"{name}.png"))

    def log(self):
        return [entry["message"] for entry in self.browser.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]


def at(curve, x):
    """The value of a curve at x, along the line between its points."""
    for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
        if x0 <= x <= x1 and x1 > x0:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise AssertionError(f"the curve has no value at {x}")


def test_run_and_change(studio):
    """Open, run, change a parameter in the table, run: the text and the curve have changed."""
    studio.open()
    assert "RC" in studio.text()
    studio.run()
    before = studio.curves()["out"]
    studio.shot("run")
    studio.enter(".value[data-key='R'] input", "3 kOhm")
    assert 'name="R" value="3 kOhm"' in studio.text(), "the table writes into the text"
    assert "<!--" in studio.text(), "comments stay"
    studio.wait("document.body.dataset.check === 'good'")
    studio.run()
    studio.until(lambda: len(studio.runs()) == 2, "second run")
    after = studio.until(lambda: (studio.curves()["out"] != before) and studio.curves()["out"], "change")
    quarter = before[-1][0] / 4  # 1.25 time constants before, a third of that now
    assert at(before, quarter) > 2 * at(after, quarter), "a larger resistance charges more slowly"
    studio.js("document.querySelector('#runs button').click()")
    studio.until(lambda: {"out, run 1", "out, run 2"} <= set(studio.curves()), "curves of both runs")
    studio.shot("compared")
    studio.js("linnetStudio.editor.undo()")
    assert 'name="R" value="1 kOhm"' in studio.text()


def test_slider(studio):
    """A slider tries a value without touching the text; keep writes it there."""
    text = studio.text()
    studio.slide(".value[data-key='C'] input[type=range]", "0.5")
    studio.wait("[...document.querySelectorAll('#runs button')].some(b => /^C = /.test(b.textContent))")
    assert studio.text() == text
    studio.until(lambda: any("C = " in name for name in studio.curves()), "curve of the tried value")
    studio.shot("slider")
    studio.click(".value[data-key='C'] button")
    assert 'value="3.16 uF"' in studio.text(), studio.text()
    studio.js("linnetStudio.editor.undo()")
    assert studio.text() == text, "one undo takes it back"


def test_error(studio):
    """A message stands at its line, and goes with its cause."""
    line = studio.text()[:studio.text().index("<resistor")].count("\n")
    studio.replace("<resistor", "<resistorr")
    studio.wait("document.querySelector('.message.error') !== null")
    message = studio.js("return document.querySelector('.message').textContent")
    assert message.startswith(f"line {line + 1}:") and "resistor" in message, message
    assert studio.js(f"return linnetStudio.editor.lineInfo({line}).gutterMarkers?.messages !== undefined")
    assert studio.js("return document.querySelector('.behind-error') !== null")
    studio.shot("error")
    studio.js("linnetStudio.editor.undo()")
    studio.wait("document.querySelector('.message') === null")
    assert studio.js("return document.querySelector('.sign') === null")


def test_completion(studio):
    """Typing offers types, attributes and links."""
    studio.js("""const e = linnetStudio.editor, t = e.getValue();
        e.setCursor(e.posFromIndex(t.indexOf('<simulation'))); e.focus();""")
    studio.keys("<resi")
    studio.wait("[...document.querySelectorAll('.CodeMirror-hint')].some(h => /^resistor/.test(h.textContent))")
    studio.shot("completion")
    studio.keys(Keys.ENTER, " ")
    studio.wait("[...document.querySelectorAll('.CodeMirror-hint')].some(h => /^id/.test(h.textContent))")
    studio.keys("p")
    studio.wait("[...document.querySelectorAll('.CodeMirror-hint')].some(h => /^p /.test(h.textContent))")
    studio.keys(Keys.ENTER)
    studio.until(lambda: 'p=""' in studio.text(), "attribute")
    studio.keys("o")
    studio.wait("[...document.querySelectorAll('.CodeMirror-hint')].some(h => /^out/.test(h.textContent))")
    studio.keys(Keys.ESCAPE)
    studio.js("""const e = linnetStudio.editor;
        while (/<resistor p/.test(e.getValue()) || /<resi/.test(e.getValue().replace(/<resistor id="R1"/, '')))
            e.undo();""")


def test_cancel(studio):
    """A long run shows its progress and is cancelled; what was computed is shown."""
    studio.set_text(studio.text().replace("<simulation", '<!-- long --><simulation').replace(
        studio.js("return /step=\"[^\"]*\"/.exec(linnetStudio.editor.getValue())[0]"), 'step="0.02 ns"'))
    studio.wait("document.body.dataset.check === 'good'")
    count = len(studio.runs())
    studio.click("#run")
    studio.wait("!document.getElementById('progress').hidden &&"
                " parseFloat(document.querySelector('#progress i').style.width) > 0")
    studio.shot("progress")
    studio.click("#cancel")
    studio.until(lambda: "cancelled" in studio.state(), "word that it is cancelled")
    studio.until(lambda: len(studio.runs()) == count + 1, "beginning of the result")
    studio.wait("document.getElementById('cancel').hidden")
    studio.js("linnetStudio.editor.undo()")
    studio.wait("document.body.dataset.check === 'good'")


def test_sweep(studio):
    """A sweep draws a curve for each case, and a slider picks one."""
    studio.click("[data-tab=sweep]")
    studio.js("const s = document.querySelector('[name=parameter]'); s.value = 'R';"
              "s.dispatchEvent(new Event('change'))")
    studio.type("[name=from]", "0.5 kOhm")
    studio.type("[name=to]", "4.5 kOhm")
    studio.type("[name=count]", "5")
    studio.js("document.querySelector('[name=kind]').value = '';"
              "[...document.querySelectorAll('#signals .chip')].forEach(c => {"
              " if (c.classList.contains('on') !== (c.textContent === 'out')) c.click(); })")
    studio.click("#sweep button")
    studio.until(lambda: len(studio.curves()) == 5, "curves of five cases")
    assert "R = 500" in studio.curves(), studio.curves().keys()
    studio.wait("!document.getElementById('case').hidden")
    studio.slide("#case input", "3")
    assert "2500" in studio.js("return document.querySelector('#case output').textContent")
    studio.shot("sweep")
    studio.click("[data-tab=values]")


def test_save(studio):
    """Saving writes the file; a file that somebody else changed is not overwritten unasked."""
    path = os.path.join(studio.folder, "rc-step.xml")
    studio.replace("<simulation", "<!-- saved here -->\n  <simulation")
    studio.wait("!document.getElementById('unsaved').hidden")
    studio.click("#save")
    studio.wait("document.getElementById('unsaved').hidden")
    with open(path, encoding="utf-8") as file:
        assert file.read() == studio.text()
    with open(path, "a", encoding="utf-8") as file:
        file.write("<!-- from elsewhere -->\n")
    studio.replace("saved here", "saved again")
    studio.click("#save")
    studio.wait("document.getElementById('dialog').open")
    studio.js("document.querySelector('#dialog button').click()")
    with open(path, encoding="utf-8") as file:
        assert "from elsewhere" in file.read(), "nothing is overwritten unasked"


def test_examples(studio):
    """An example is opened and run."""
    studio.click("[data-tab=examples]")
    studio.js("document.querySelectorAll('[data-pane=examples] details').forEach(d => d.open = true)")
    studio.click("[data-path='hybrid/bouncing-ball.xml']")
    studio.wait("document.getElementById('dialog').open")
    studio.js("[...document.querySelectorAll('#dialog button')].pop().click()")
    studio.until(lambda: "bouncing" in studio.text(), "example")
    studio.wait("document.body.dataset.check === 'good'")
    studio.run()
    studio.shot("example")
    studio.click("#theme")
    studio.wait("document.documentElement.classList.contains('dark')")
    studio.until(studio.curves, "dark plot")
    time.sleep(0.3)
    studio.shot("dark")
    studio.click("#theme")


TESTS = [test_run_and_change, test_slider, test_error, test_completion, test_cancel, test_sweep,
         test_save, test_examples]


def main():
    studio = Studio(sys.argv[1], sys.argv[2])
    wanted = sys.argv[3:]
    try:
        for test in TESTS:
            if not wanted or test.__name__ in wanted or test is TESTS[0]:
                print(test.__name__, flush=True)
                test(studio)
        told = [line for line in studio.log() if "409" not in line]
        assert not told, "the browser complains: " + "\n".join(told)
    finally:
        studio.close()


main()
