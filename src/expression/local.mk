## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/expression/ast.h \
	src/expression/bounds.c \
	src/expression/bounds.h \
	src/expression/breakpoint.c \
	src/expression/code.c \
	src/expression/code.h \
	src/expression/copy.c \
	src/expression/derivative.c \
	src/expression/dimension.c \
	src/expression/dimension.h \
	src/expression/evaluate.c \
	src/expression/fold.c \
	src/expression/functions.c \
	src/expression/functions.h \
	src/expression/graph.c \
	src/expression/graph.h \
	src/expression/list.c \
	src/expression/lower.c \
	src/expression/lower.h \
	src/expression/message.c \
	src/expression/message.h \
	src/expression/nodes.h \
	src/expression/parse.c \
	src/expression/parse.h \
	src/expression/print.c \
	src/expression/program.c \
	src/expression/program.h \
	src/expression/program_text.c \
	src/expression/slope.c \
	src/expression/slope.h \
	src/expression/special.c \
	src/expression/special.h \
	src/expression/token.c \
	src/expression/unit.c \
	src/expression/unroll.c \
	src/expression/unroll.h
