## cli
