"""The pages of those who keep order: plain forms, one file a noun, nothing here for anybody else."""
