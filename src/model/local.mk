# The room `model`: XML to tree, tree to model, includes, parameters in scope.
liblinnet_la_SOURCES += src/model/scan.c src/model/scan.h src/model/builder.c src/model/builder.h \
	src/model/xml_error.c src/model/tree.c src/model/tree.h
