## network: flatten, join links, number, look names up, diagnose structure
liblinnet_la_SOURCES += \
	src/network/check.c \
	src/network/check.h \
	src/network/circuits.c \
	src/network/component.c \
	src/network/connect.c \
	src/network/diagnose.c \
	src/network/ends.c \
	src/network/feedback.c \
	src/network/feedback.h \
	src/network/feedback_gain.c \
	src/network/feedback_graph.c \
	src/network/feedback_graph.h \
	src/network/find.c \
	src/network/flat.c \
	src/network/flat.h \
	src/network/flatten.c \
	src/network/flatten.h \
	src/network/join.c \
	src/network/kinds.c \
	src/network/links.c \
	src/network/loops.c \
	src/network/match.c \
	src/network/matching.c \
	src/network/names.h \
	src/network/network.c \
	src/network/network.h \
	src/network/parts.c \
	src/network/quantities.c \
	src/network/repeat.c \
	src/network/shapes.c \
	src/network/spread.c \
	src/network/structure.h \
	src/network/text.c \
	src/network/tolerances.c \
	src/network/unfold.c \
	src/network/values.c
