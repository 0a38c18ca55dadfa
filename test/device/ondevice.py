# A lit format: the tests of test/run once more on each kind of device: pocl (OpenCL C), intel (SPIR-V), ptx (assembled). They are no files of
# their own: each is a run of the host's test with the device's name.

import glob
import os

import lit.Test
import lit.formats
import lit.util

FEATURES = {"pocl": "pocl", "intel": "intel", "ptx": "ptxas"}
# Tests of the host's C API, of the list of builtins, and of arrays with shapes, which clrun.py does
# not pass: test/unit/shapes.c and star.c run those on devices; programs, which runs on devices by
# itself; and overlap-pairs and overlap-readers, of orders that are the same everywhere: overlaps
# has some of them.
OTHERS = {"check", "strided", "coverage", "shapes", "star", "programs", "overlap-pairs", "overlap-readers"}
MOST_SECONDS = 900
# Of elements by themselves, of every type: Intel's compiler takes a third of its time for turning such kernels into vectors, which stands for
# nothing of ours. It does so for all others.
BY_ELEMENT = {"complex", "conversions", "draws", "element_types", "elementary", "logic", "maths", "minmax", "operators", "ops", "signs", "slices",
              "statements", "trimmed"}
SCRIPTS = {"ops", "statements"}  # run by themselves, on the source tree


class OnDevice(lit.formats.TestFormat):
    def getTestsInDirectory(self, suite, path, lit_config, local_config):
        run = os.path.join(suite.source_root, "run")
        names = sorted(os.path.basename(f).removesuffix(".py") for f in glob.glob(os.path.join(run, "*.py")))
        for device in FEATURES:
            for name in names:
                if name not in OTHERS:
                    yield lit.Test.Test(suite, path + (device, name), local_config)

    def execute(self, test, lit_config):
        device, name = test.path_in_suite[-2:]
        if FEATURES[device] not in test.config.available_features:
            return lit.Test.UNSUPPORTED, f"needs {FEATURES[device]}"
        run = os.path.join(test.suite.source_root, "run")
        prefix = test.config.opencl_runtimes.get(device, "env")
        folder = os.path.join(test.suite.getExecPath(test.path_in_suite[:-2]), device, name)
        os.makedirs(folder, exist_ok=True)
        script = os.path.join(run, name + ".py")
        command = prefix.split() + [test.config.python, script, test.config.tree, folder, device] if name in SCRIPTS else \
            prefix.split() + [test.config.python, os.path.join(run, "check.py"), script, folder, device]
        environment = dict(test.config.environment)
        if device == "intel" and name in BY_ELEMENT:
            environment["CL_CONFIG_CPU_VECTORIZER_MODE"] = "1"
        try:
            out, err, rc = lit.util.executeCommand(command, env=environment, timeout=lit_config.maxIndividualTestTime or MOST_SECONDS)
        except lit.util.ExecuteCommandTimeoutException as e:
            return lit.Test.TIMEOUT, e.out + e.err
        return (lit.Test.PASS, "") if rc == 0 else (lit.Test.FAIL, " ".join(command) + "\n" + out + err)

