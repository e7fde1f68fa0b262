# SPDX-License-Identifier: MIT
"""The Python module against closed forms; run by tests/python.sh."""
import math
import unittest
import warnings

import numpy as np

import linnet

RC = """<model name='rc' xmlns='urn:linnet:model:1'><parameter name='load' value='1 kOhm'/>
<ground id='gnd' p='0'/><voltage-source id='V1' p='in' n='0' V='2 V'/>
<resistor id='R1' p='in' n='out' R='load'/><capacitor id='C1' p='out' n='0' C='1 uF'/>
<resistor id='R2' p='out' n='0' R='1 kOhm'/>
<simulation duration='5 ms' step='5 us'/><record signals='out R1.i'/></model>"""

LOOP = """<model name='loop' xmlns='urn:linnet:model:1'><step id='r' out='r'/>
<sum id='s' in='r y' signs='+-' out='e'/>
<transfer-function id='G' in='e' out='y' numerator='4' denominator='1 3 3 1'/>
<simulation duration='1' step='0.1'/></model>"""


class Runs(unittest.TestCase):
    def setUp(self):
        self.model = linnet.loads(RC, "rc.xml")

    def test_run(self):
        result = self.model.run()
        self.assertEqual(result.names, ["out", "R1.i"])
        self.assertEqual(result.units["R1.i"], "A")
        np.testing.assert_allclose(result["out"], 1 - np.exp(-2000 * result.time), atol=1e-5)
        self.assertEqual(result.to_array().shape, (len(result), 3))
        self.assertAlmostEqual(result.at(1e-3)["out"], 1 - math.exp(-2), 5)
        self.assertEqual(self.model.statistics["method"], "crank-nicolson")
        with self.assertRaisesRegex(KeyError, "not recorded"):
            result["in"]
        self.assertIn("<table>", result._repr_html_())

    def test_parameters_for_one_run(self):
        def end(**parameters):
            return self.model.run(**parameters)["out"][-1]
        plain = end()
        self.assertAlmostEqual(self.model.run({"R1.R": "3 kOhm"})["out"][-1],
                               0.5 * (1 - math.exp(-5e-3 * (1 / 3e3 + 1e-3) / 1e-6)), 4)
        self.assertEqual(end(load=2000), self.model.set(load="2 kOhm").run()["out"][-1])
        self.assertEqual(self.model.set(load=None).run()["out"][-1], plain)

    def test_options_and_records(self):
        self.model.option(method="radau5", step=None, tolerance=1e-8).record("in", "C1.*")
        result = self.model.run()
        self.assertIn("C1.i", result)
        self.assertEqual(self.model.statistics["method"], "radau5")
        with self.assertRaisesRegex(linnet.UsageError, "did you mean 'step'"):
            self.model.option(stepp=1)

    def test_measures_and_sweep(self):
        self.model.measure("last=final(out)")
        self.model.run()
        self.assertAlmostEqual(self.model.measures["last"], 1 - math.exp(-10), 6)
        cases = self.model.sweep("R2.R=1k,3k")
        np.testing.assert_allclose(cases["R2.R"], [1000, 3000])
        np.testing.assert_allclose(cases["last"], [1 - math.exp(-10), 1.5 * (1 - math.exp(-20 / 3))], atol=1e-5)
        np.testing.assert_array_equal(cases["case"], [1, 2])

    def test_watch(self):
        with self.assertRaises(linnet.Interrupted) as caught:
            self.model.run(watch=lambda t: t > 2e-3)
        self.assertLess(caught.exception.result.time[-1], 3e-3)
        self.assertGreater(len(caught.exception.result), 300)
        with self.assertRaises(ZeroDivisionError):
            self.model.run(watch=lambda t: 1 / 0)

    def test_steps(self):
        model = linnet.loads("<model name='m'><external-input id='u' out='u'/>"
                             "<first-order id='f' in='u' out='y' T='0.5'/>"
                             "<simulation duration='2' tolerance='1e-8'/><record signals='y'/></model>")
        with model.begin() as run:
            self.assertEqual(run.names, ["y"])
            y = 0
            for k in range(1, 21):
                u = 1 if k <= 10 else -2
                model.set("u.value", u)
                run.step(k*0.1)
                y = u + (y - u)*math.exp(-0.1/0.5)
                self.assertAlmostEqual(run["y"], y, 6)
            self.assertEqual(run.t, 2)
            with self.assertRaises(linnet.UsageError):
                run.step(3)
            with self.assertRaises(KeyError):
                run["x"]

    def test_lists(self):
        self.assertEqual(self.model.blocks["R1"], "resistor")
        self.assertRegex(repr(self.model), r"^<linnet.Model: \d+ blocks, 3 links>$")
        self.assertIn("did you mean <resistor>", repr(linnet.loads("<model><resistorr id='R'/></model>")))
        self.assertEqual(self.model.links["out"], "electrical")
        self.assertEqual(self.model.parameters["load"], 1000)
        self.assertEqual(self.model.signals["C1.v"], "V")

    def test_position_on_request(self):
        body = linnet.loads("""<model name='falls' xmlns='urn:linnet:model:1'>
<mass id='m1' p='a' m='2 kg'/><weight id='g' p='a' m='2 kg'/><damper id='d' p='a' n='0' d='2'/><fixed-point id='w' p='0'/>
<simulation duration='3' tolerance='1e-8'/></model>""")
        self.assertEqual(body.signals["m1.x"], "m")
        self.assertEqual(body.run().names, ["a"])
        self.assertEqual(len(body.eigenvalues()), 1)
        position = body.record("m1.x").run()["m1.x"]
        self.assertAlmostEqual(position[-1], -9.80665 * (2 + math.exp(-3)), 5)


class Points(unittest.TestCase):
    def test_operating_point(self):
        point = linnet.loads(RC).operating_point(load="3 kOhm")
        self.assertAlmostEqual(point["out"], 0.5, 12)

    def test_small_signals(self):
        model = linnet.loads(RC)
        mode, = model.eigenvalues()
        self.assertAlmostEqual(mode.value.real / 2000, -1, 12)
        self.assertEqual(list(mode.states), ["C1.v"])
        f = np.array([0, 2000 / (2 * np.pi)])
        np.testing.assert_allclose(model.response("V1", "out", f), [0.5, 0.25 - 0.25j], atol=1e-12)
        self.assertEqual(set(model.response("V1", ["out", "R1.i"], f)), {"out", "R1.i"})
        space = model.linearise("V1", ["out", "R1.i"])
        self.assertEqual(space.C.shape, (2, 1))
        gain = space.D - space.C @ np.linalg.solve(space.A, space.B)
        np.testing.assert_allclose(gain, [[0.5], [0.5e-3]], rtol=1e-12)

    def test_margins(self):
        model = linnet.loads(LOOP)
        margins = model.margins("e")
        self.assertTrue(margins.stable)
        self.assertAlmostEqual(margins.gain, 2, 9)
        self.assertAlmostEqual(margins.gain_at * 2 * math.pi, math.sqrt(3), 9)
        self.assertIs(model.set("G.numerator", 16).margins("e").stable, False)


class Errors(unittest.TestCase):
    def test_model(self):
        with self.assertRaises(linnet.ModelError) as caught:
            linnet.loads(RC.replace("<resistor id='R1'", "<resitor id='R1'"), "rc.xml").check()
        first = caught.exception.diagnostics[0]
        self.assertEqual((first.severity, first.file, first.line), ("error", "rc.xml", 3))
        self.assertIn("resistor", str(caught.exception))

    def test_file(self):
        with self.assertRaises(linnet.FileError):
            linnet.load("nowhere.xml")
        with self.assertRaises(OSError):
            linnet.load("nowhere.xml")

    def test_warning(self):
        model = linnet.loads(RC.replace("</model>", "<resistor id='R3' p='out' n='loose' R='1'/></model>"))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            model.check()
        self.assertTrue(any(issubclass(w.category, linnet.LinnetWarning) for w in told))


if __name__ == "__main__":
    unittest.main()
