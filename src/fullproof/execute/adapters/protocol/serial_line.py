"""A serial line, by pyserial."""

from __future__ import annotations

import contextlib
import termios

from fullproof.core.errors import UserError
from fullproof.execute.adapters.lines import Closed, Lines
from fullproof.execute.adapters.protocol.place import Whereabouts
from fullproof.execute.sut import SutError


class SerialLine:
    """One opened device."""

    def __init__(self, where: Whereabouts) -> None:
        try:
            import serial
        except ImportError:
            raise UserError("serial: needs pyserial: pip install 'fullproof[serial]'") from None
        try:
            self._device = serial.Serial(where.device, where.baud, parity=where.parity[0].upper(), timeout=0)
        except termios.error as error:  # no OSError; a pseudo terminal, for one, has no parity
            reason = f"the device does not take baud {where.baud} and parity {where.parity} ({error.args[-1]})"
            raise SutError(f"cannot open {where.device}: {reason}") from error
        except (OSError, ValueError) as error:
            raise SutError(f"cannot open {where.device}: {error}") from error
        self.lines = Lines(self._device.fileno(), self._device.fileno())

    def exit_error(self, closed: Closed) -> SutError:
        """Nothing more is known."""
        return SutError(f"died: {closed.reason}")

    def tail(self, _patience: float = 0.0) -> str:
        """A line has no diagnostics."""
        return ""

    def close(self) -> None:
        """Close the device."""
        with contextlib.suppress(OSError):
            self._device.close()

    kill = close
