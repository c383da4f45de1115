"""Signals that ask to end, and when they must wait."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""Ctrl-C; what `timeout` and CI systems send; and what a terminal sends when it is closed."""


def heed() -> None:
    """Let the first signal that asks to end be a KeyboardInterrupt that names it: all is undone.

    Those that follow ask for nothing else. One that is ignored, as with `nohup`, stays so.
    """
    for number in _ENDING:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _interrupt)


def _interrupt(number: int, _frame: object) -> NoReturn:
    for following in _ENDING:
        if signal.getsignal(following) is _interrupt:
            signal.signal(following, lambda *_: None)
    raise KeyboardInterrupt(number)


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """As shells say it: 130 after Ctrl-C, 143 after SIGTERM."""
    return 128 + int(next(iter(interrupt.args), signal.SIGINT))


@contextlib.contextmanager
def held_off() -> Iterator[None]:
    """Undo undisturbed, git too: a signal that asks to end counts when all is done.

    Where the block raises, the run ends anyway, and its own words are what has to be said.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    except BaseException:
        while signal.sigpending() & _ENDING:
            signal.sigwait(_ENDING)
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
