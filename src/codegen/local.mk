## made by src/sources.sh: run `make sources` when a file comes or goes
liblinnet_la_SOURCES += \
	src/codegen/c_device.c \
	src/codegen/c_exchange.c \
	src/codegen/c_files.c \
	src/codegen/c_header.c \
	src/codegen/c_hybrid.c \
	src/codegen/c_loop.c \
	src/codegen/c_network.c \
	src/codegen/c_source.c \
	src/codegen/c_step.c \
	src/codegen/c_writer.c \
	src/codegen/c_writer.h \
	src/codegen/carry.c \
	src/codegen/codegen.c \
	src/codegen/codegen.h \
	src/codegen/fmu.c \
	src/codegen/fmu.h \
	src/codegen/fmu_description.c \
	src/codegen/fmu_model.c \
	src/codegen/fmu_page.c \
	src/codegen/fmu_variables.c \
	src/codegen/fmu_writer.h \
	src/codegen/names.c \
	src/codegen/names.h \
	src/codegen/network_assembly.h \
	src/codegen/network_elimination.c \
	src/codegen/network_hoist.c \
	src/codegen/network_plan.c \
	src/codegen/network_plan.h \
	src/codegen/network_rows.c \
	src/codegen/plan.c \
	src/codegen/plan.h \
	src/codegen/plan_hybrid.c \
	src/codegen/plan_members.c \
	src/codegen/python.c \
	src/codegen/python.h
