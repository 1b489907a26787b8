"""A minimal WebDriver client for the tests: headless Chromium with chromedriver over plain HTTP."""
import base64
import json
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'  # the key of an element, defined by the W3C


class Browser:
    def __init__(self, scratch):
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True, env={'HOME': scratch, 'PATH': '/usr/bin:/bin', 'LANG': 'C.UTF-8'})
        self.base = None
        for line in self.driver.stdout:
            if 'started successfully on port' in line:
                self.base = 'http://127.0.0.1:' + line.split('port')[-1].strip(' .\n')
                break
        if self.base is None:
            raise RuntimeError('chromedriver did not start')
        options = {'args': ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                            '--window-size=1100,900', '--hide-scrollbars', '--user-data-dir=' + scratch + '/profile']}
        made = self._ask('POST', '/session', {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome', 'goog:chromeOptions': options, 'goog:loggingPrefs': {'browser': 'ALL'},
            'timeouts': {'script': 120_000}}}})  # axe takes long on a long page where the machine is busy
        self.base += '/session/' + made['sessionId']

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=150) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)['value']['message']) from None

    def close(self):
        try:
            self._ask('DELETE', '')
        finally:
            self.driver.terminate()
            self.driver.wait(10)
            self.driver.stdout.close()

    def open(self, address):
        self._ask('POST', '/url', {'url': address})

    def run(self, script, *arguments):
        """The value of a JavaScript expression, or of a function body with `return`; parameters are arguments[0], ..."""
        body = script if 'return' in script else 'return ' + script
        return self._ask('POST', '/execute/sync', {'script': body, 'args': list(arguments)})

    def wait(self, script, seconds=30, *arguments):
        """Waits until the expression is true and returns its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f'not true after {seconds} s: {script}')
            time.sleep(0.1)

    def find(self, selector):
        return self._ask('POST', '/element', {'using': 'css selector', 'value': selector})

    def frame(self, selector):
        """Later scripts run in that frame; None: in the page again."""
        self._ask('POST', '/frame', {'id': self.find(selector) if selector else None})

    def click(self, selector):
        self._ask('POST', f'/element/{self.find(selector)[ELEMENT]}/click', {})

    def type(self, selector, text):
        self._ask('POST', f'/element/{self.find(selector)[ELEMENT]}/value', {'text': text})

    def pointer(self, selector, *points):
        """Moves the pointer through points (x, y from the centre of the element); 'down' and 'up' press and release."""
        element = self.find(selector)
        acts = []
        for point in points:
            if point == 'down' or point == 'up':
                acts.append({'type': 'pointer' + point.capitalize(), 'button': 0})
            else:
                acts.append({'type': 'pointerMove', 'duration': 50, 'origin': element, 'x': point[0], 'y': point[1]})
        self._ask('POST', '/actions', {'actions': [{'type': 'pointer', 'id': 'mouse', 'actions': acts}]})

    def screenshot(self, file):
        with open(file, 'wb') as out:
            out.write(base64.b64decode(self._ask('GET', '/screenshot')))

    def console(self):
        """Console messages since the last call, without Chromium's advice about our reading of pixels."""
        return [entry for entry in self._ask('POST', '/se/log', {'type': 'browser'})
                if entry['level'] != 'INFO' and 'willReadFrequently' not in entry['message']]

    def devtools(self, command, **parameters):
        return self._ask('POST', '/goog/cdp/execute', {'cmd': command, 'params': parameters})

    def size(self, width, height, mobile=False):
        self.devtools('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                      mobile=mobile)

    def dark(self, on):
        self.devtools('Emulation.setEmulatedMedia',
                      features=[{'name': 'prefers-color-scheme', 'value': 'dark' if on else 'light'}])
