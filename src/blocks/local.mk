## blocks
include src/blocks/native/local.mk
