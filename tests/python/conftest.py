"""What every test counts on."""

import signal

# A job in the background of a script starts with SIGINT ignored, and Python then leaves it so: no Ctrl-C would arrive.
signal.signal(signal.SIGINT, signal.default_int_handler)
