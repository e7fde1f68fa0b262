## integrate
