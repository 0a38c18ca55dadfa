import os

import lit.formats

config.name = "tiny"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["build"]
config.substitutions.append(("%build", lit_config.params["build"]))
