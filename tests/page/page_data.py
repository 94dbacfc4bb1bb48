"""What a page holds: the data that its script unpacks, read from the file."""
import base64
import json
import re
import zlib


def read(path):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    packed = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page).group(1)
    return json.loads(zlib.decompress(base64.b64decode(packed)))
