## analysis: run, verify, check, and the public API
liblinnet_la_SOURCES += \
	src/analysis/again.c src/analysis/again.h \
	src/analysis/api.c src/analysis/api.h \
	src/analysis/api_result.c \
	src/analysis/checkpoint.c src/analysis/checkpoint.h \
	src/analysis/check.c src/analysis/check.h \
	src/analysis/compare.c src/analysis/compare.h \
	src/analysis/compare_reference.c \
	src/analysis/compare_run.c src/analysis/compare_run.h \
	src/analysis/loop_curve.c src/analysis/loop_curve.h \
	src/analysis/margins.c src/analysis/margins.h \
	src/analysis/curve_measures.c src/analysis/curve_measures.h \
	src/analysis/dense.c src/analysis/dense.h \
	src/analysis/delayed.c src/analysis/delayed.h src/analysis/pade.c src/analysis/pade.h \
	src/analysis/guard.c src/analysis/guard.h \
	src/analysis/measure.c src/analysis/measure.h \
	src/analysis/measure_curve.c src/analysis/measure_curve.h \
	src/analysis/measure_formula.c src/analysis/measure_kind.c src/analysis/measure_kind.h \
	src/analysis/measure_read.c src/analysis/measure_state.c \
	src/analysis/operating.c src/analysis/operating.h \
	src/analysis/compare_stability.c src/analysis/compare_stability.h \
	src/analysis/estimate.c src/analysis/estimate.h \
	src/analysis/modes.c src/analysis/modes.h \
	src/analysis/recorder.c src/analysis/recorder.h \
	src/analysis/references.c \
	src/analysis/response.c src/analysis/response.h \
	src/analysis/memory_input.c src/analysis/memory_input.h \
	src/analysis/sampled.c src/analysis/sampled.h \
	src/analysis/settings.c src/analysis/settings.h \
	src/analysis/simulation.c src/analysis/simulation.h \
	src/analysis/small_signal.c src/analysis/small_signal.h \
	src/analysis/start_from.c \
	src/analysis/state_space.c src/analysis/state_space.h \
	src/analysis/state_space_delays.c src/analysis/state_space_delays.h \
	src/analysis/transfer.c \
	src/analysis/trim.c src/analysis/trim.h src/analysis/trim_approach.c \
	src/analysis/trim_problem.c src/analysis/trim_problem.h src/analysis/trim_request.c \
	src/analysis/draw.c src/analysis/vary.c src/analysis/vary.h \
	src/analysis/dc_curve.c src/analysis/dc_curve.h \
	src/analysis/sweep.c src/analysis/sweep.h \
	src/analysis/sweep_case.c src/analysis/sweep_rows.c \
	src/analysis/sweep_run.c src/analysis/sweep_run.h \
	src/analysis/sweep_serve.c src/analysis/sweep_threads.c \
	src/analysis/transport.c src/analysis/transport.h \
	src/analysis/verify.c src/analysis/verify.h
