"""Ceilings for H, SPY and SPYH suites on published machines: inputs plus resets, without and with an extra state.

The smallest suites of other tools: FSMlib's and fsmlib-cpp's H and SPYH, FSMlib's SPY with a splitting tree, and its
S-method.
"""

import pytest
from tests.shared import SHARED, needs_shared_models
from tests.strategies.methods import source

from fullproof.formats import read_model
from fullproof.generate.finite.auto import cost_of
from fullproof.generate.finite.preparation import prepare

CEILINGS = {
    # name: H, SPY, SPYH; elsewhere H, SPY, SPYH, S-method
    "random/rnd_n10_p5_q5_s1.dot": ((210, 1260), (170, 1090), (150, 820)),  # 242 1394, 257 1510, 287 1561, 247 1376
    "automata-wiki/TLS/OpenSSL_1.0.2_server_regular.dot": (
        *((215, 1770), (230, 1690), (195, 1670)),  # 228 1792, 257 1773, 361 1907, 238 1738
    ),
    "random/rnd_n30_p5_q5_s1.dot": (
        *((840, 4500), (640, 4050), (580, 3150)),  # 1304 6802, 866 4800, 1143 5662, 788 4594
    ),
    "automata-wiki/MQTT/mosquitto__two_client_will_retain.dot": (
        *((1370, 13300), (1010, 10300), (890, 8450)),  # 1569 16428, 1480 14166, 1584 15130, 1210 11625
    ),
    "random/rnd_n50_p10_q10_s1.dot": (
        *((2800, 32000), (1900, 25300), (1870, 19700)),  # 3544 39751, 2756 31966, 3100 33877, 2399 28696
    ),
    "automata-wiki/TCP/TCP_Windows8_Server.dot": (
        *((6750, 82000), (5950, 84000), (5150, 60500)),  # 11215 158544, 8101 113485, 11691 155009, 7064 97029
    ),
}


@needs_shared_models
@pytest.mark.parametrize("name", CEILINGS)
@pytest.mark.parametrize("method", ["h", "spy", "spyh"])
def test_suites_stay_small(name: str, method: str) -> None:
    table = prepare(read_model(SHARED / "models" / name)).table
    for extra, ceiling in enumerate(CEILINGS[name][["h", "spy", "spyh"].index(method)]):
        assert cost_of(source(method, table, extra), reset_cost=1) <= ceiling
