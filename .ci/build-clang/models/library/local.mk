## the built-in block types that are written in equations
library_models = models/library/electrical.xml models/library/translational.xml models/library/rotational.xml \
	models/library/thermal.xml models/library/hydraulic.xml models/library/converters.xml models/library/signal.xml \
	models/library/waveforms.xml models/library/functions.xml models/library/logic.xml models/library/discrete.xml \
	models/library/control.xml models/library/statistics.xml models/library/motion.xml models/library/switches.xml
library_models += models/library/friction.xml models/library/contact.xml models/library/drive.xml \
	models/library/heat.xml models/library/fluid.xml
library_models += models/library/inductors.xml models/library/switching.xml models/library/adjustable.xml
library_models += models/library/magnetic.xml models/library/machines.xml models/library/triggered.xml models/library/attitude.xml
