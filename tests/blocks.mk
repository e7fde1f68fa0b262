## blocks
