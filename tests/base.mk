## base
