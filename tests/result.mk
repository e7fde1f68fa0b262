## result
