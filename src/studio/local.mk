## made by src/sources.sh: run `make sources` when a file comes or goes
studio_sources = \
	src/studio/answer.c \
	src/studio/child.c \
	src/studio/child.h \
	src/studio/files.c \
	src/studio/folder.c \
	src/studio/folder.h \
	src/studio/http.c \
	src/studio/http.h \
	src/studio/order.c \
	src/studio/order.h \
	src/studio/page.h \
	src/studio/pages.c \
	src/studio/reply.c \
	src/studio/results.c \
	src/studio/results.h \
	src/studio/server.h \
	src/studio/studio.c \
	src/studio/studio.h \
	src/studio/work.c
