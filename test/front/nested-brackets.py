# A line goes on until the outermost bracket is closed, whichever ones are inside.
# RUN: cplc --emit tokens %s | FileCheck --strict-whitespace --match-full-lines %s
n = (o[p]
  , q)
r
# CHECK:[[#@LINE-3]]:1 NAME n
# CHECK-NEXT:[[#@LINE-4]]:3 ASSIGN =
# CHECK-NEXT:[[#@LINE-5]]:5 LPAREN (
# CHECK-NEXT:[[#@LINE-6]]:6 NAME o
# CHECK-NEXT:[[#@LINE-7]]:7 LBRACKET [
# CHECK-NEXT:[[#@LINE-8]]:8 NAME p
# CHECK-NEXT:[[#@LINE-9]]:9 RBRACKET ]
# CHECK-NEXT:[[#@LINE-9]]:3 COMMA ,
# CHECK-NEXT:[[#@LINE-10]]:5 NAME q
# CHECK-NEXT:[[#@LINE-11]]:6 RPAREN )
# CHECK-NEXT:[[#@LINE-12]]:7 NEWLINE
# CHECK-NEXT:[[#@LINE-12]]:1 NAME r
