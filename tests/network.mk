## network
