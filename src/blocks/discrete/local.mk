## discrete types whose size follows from the instance
liblinnet_la_SOURCES += src/blocks/discrete/delays.c src/blocks/discrete/discrete_integrator.c \
	src/blocks/discrete/discrete_state_space.c src/blocks/discrete/filters.c \
	src/blocks/discrete/sampled.c src/blocks/discrete/sampled.h
