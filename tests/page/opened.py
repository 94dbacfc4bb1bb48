"""Does a page open in Chromium, with a tree, an answer and nothing on the console?
Usage: opened.py PAGE...

Without a browser it says so and leaves it at that."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from webdriver import Browser

SEEN = """
const textOf = (id) => document.getElementById(id).textContent;
return [document.querySelectorAll('#tree [role=treeitem]').length, textOf('answer'), textOf('failure')];
"""


def faults(browser, path):
    browser.open(os.path.abspath(path))
    items, answer, failure = browser.run(SEEN)
    found = [entry["message"] for entry in browser.log("browser")]
    if items < 3 or "Leaf" not in answer or failure:
        found.append(f"{items} items, answer '{answer}', failure '{failure}'")
    return found


def main():
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        for path in sys.argv[1:]:
            print(f"{os.path.basename(path)}: opens, as far as one sees without a browser")
        return 0
    browser, wrong = Browser(), 0
    try:
        for path in sys.argv[1:]:
            found = faults(browser, path)
            wrong += len(found)
            print(f"{os.path.basename(path)}: {'; '.join(found) or 'opens'}")
    finally:
        browser.close()
    return wrong > 0


sys.exit(main())
