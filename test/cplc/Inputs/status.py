# status.py N COMMAND...: runs a command and fails unless it exits with status N. Its stderr joins stdout.
import subprocess
import sys

done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.buffer.write(done.stdout)
if done.returncode != int(sys.argv[1]):
    sys.exit(f"exit status {done.returncode}, not {sys.argv[1]}: {' '.join(sys.argv[2:])}")
