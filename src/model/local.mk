# The room `model`: XML to tree, tree to model, includes, parameters in scope.
liblinnet_la_SOURCES += src/model/scan.c src/model/scan.h src/model/builder.c src/model/builder.h \
	src/model/xml_error.c src/model/tree.c src/model/tree.h src/model/write.c src/model/write.h \
	src/model/language.c src/model/language.h src/model/sort.c src/model/include.c src/model/reader.h \
	src/model/model.c src/model/model.h \
	src/model/scope.c src/model/scope.h src/model/quantity.c src/model/binding.h
