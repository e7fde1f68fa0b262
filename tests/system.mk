## system
