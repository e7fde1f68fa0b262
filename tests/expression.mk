## expression
