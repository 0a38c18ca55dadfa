from cpl.first import one
from cpl.second import *
