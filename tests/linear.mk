## linear
