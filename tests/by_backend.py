"""Tests of functions that are done once with each backend. BACKENDS="ptrace" limits them."""
import os

import kassist_here
from tier import TESTS, Skip

WANTED = os.environ.get("BACKENDS", "ptrace kassist").split()
BACKENDS = kassist_here.backends_for_functions(WANTED)


def left_out():
    raise Skip()


def add(name, backend, function):
    """`function` is called without arguments, if this machine has the backend."""
    TESTS.append(("%s by %s" % (name, backend), function if backend in BACKENDS else left_out))


def each_backend(function):
    for backend in WANTED:
        add(function.__name__, backend, lambda b=backend: function(b))
    return function
