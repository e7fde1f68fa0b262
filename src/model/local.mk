## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/model/binding.h \
	src/model/builder.c \
	src/model/builder.h \
	src/model/element.c \
	src/model/include.c \
	src/model/language.c \
	src/model/language.h \
	src/model/literals.c \
	src/model/model.c \
	src/model/model.h \
	src/model/position.c \
	src/model/position.h \
	src/model/quantity.c \
	src/model/quantity_unit.c \
	src/model/reader.h \
	src/model/scan.c \
	src/model/scan.h \
	src/model/scope.c \
	src/model/scope.h \
	src/model/sort.c \
	src/model/tree.c \
	src/model/tree.h \
	src/model/write.c \
	src/model/write.h \
	src/model/xml_error.c
