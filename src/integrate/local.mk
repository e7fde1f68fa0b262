## integrate: from a start to a trajectory
liblinnet_la_SOURCES += \
	src/integrate/consistent.c \
	src/integrate/control.c \
	src/integrate/root_finder.c src/integrate/root_finder.h \
	src/integrate/drive.c src/integrate/drive.h \
	src/integrate/event_iteration.c src/integrate/event_iteration.h \
	src/integrate/explicit.c src/integrate/explicit.h src/integrate/explicit_instant.c \
	src/integrate/failure.c src/integrate/fixed_step.c \
	src/integrate/grid.c src/integrate/grid.h \
	src/integrate/ida.c src/integrate/index.c \
	src/integrate/implicit.c src/integrate/implicit.h \
	src/integrate/integrate.h \
	src/integrate/instant.c \
	src/integrate/method.c \
	src/integrate/newton.c src/integrate/newton.h \
	src/integrate/one_stage.c \
	src/integrate/operating_point.c \
	src/integrate/pause.c src/integrate/pause.h \
	src/integrate/radau5.c src/integrate/radau5.h src/integrate/radau5_stages.c \
	src/integrate/source_step_bound.c \
	src/integrate/rest.h \
	src/integrate/runge_kutta.c src/integrate/runge_kutta.h \
	src/integrate/split.c \
	src/integrate/start.c src/integrate/start.h src/integrate/fate.c \
	src/integrate/project.c src/integrate/project.h \
	src/integrate/stepper.h \
	src/integrate/apart.c \
	src/integrate/leap.c src/integrate/leap.h \
	src/integrate/still.c src/integrate/still.h src/integrate/aids.c src/integrate/aids.h \
	src/integrate/ticks.c src/integrate/ticks.h \
	src/integrate/stability.c src/integrate/stability.h \
	src/integrate/tr_bdf2.c
