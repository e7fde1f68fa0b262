## model
