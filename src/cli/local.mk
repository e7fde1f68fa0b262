## cli: the program
linnet_SOURCES += \
	src/cli/ac.c \
	src/cli/analyses.c src/cli/analyses.h \
	src/cli/blocks.c \
	src/cli/bode_view.c src/cli/bode_view.h \
	src/cli/catalogue_json.c \
	src/cli/catalogue_text.c \
	src/cli/catalogue_view.c src/cli/catalogue_view.h \
	src/cli/check.c \
	src/cli/command.h \
	src/cli/compare.c \
	src/cli/compare_print.c src/cli/compare_print.h \
	src/cli/estimate_print.c src/cli/estimate_print.h \
	src/cli/convert.c \
	src/cli/eig.c src/cli/eig.h \
	src/cli/eig_view.c \
	src/cli/gain.c \
	src/cli/help.c \
	src/cli/job.c src/cli/job.h \
	src/cli/json.c src/cli/json.h \
	src/cli/linear_point.c src/cli/linear_point.h \
	src/cli/linearise.c \
	src/cli/listing.c src/cli/listing.h \
	src/cli/loops.c \
	src/cli/main.c \
	src/cli/margins.c \
	src/cli/margins_view.c src/cli/margins_view.h \
	src/cli/measures_file.c src/cli/measures_file.h \
	src/cli/op.c \
	src/cli/point_table.c src/cli/point_table.h src/cli/point_text.c src/cli/point_text.h \
	src/cli/options.c \
	src/cli/picture.c src/cli/picture.h \
	src/cli/plot.c \
	src/cli/run.c \
	src/cli/state_space_text.c src/cli/state_space_text.h \
	src/cli/summary.c src/cli/summary.h \
	src/cli/sweep.c src/cli/dc_command.c src/cli/dc_command.h \
	src/cli/sweep_print.c src/cli/sweep_print.h \
	src/cli/terminal.c src/cli/terminal.h \
	src/cli/verify.c
