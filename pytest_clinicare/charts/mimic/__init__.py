"""Charts and unlabelled cases of real patients, cut from a MIMIC-IV folder."""
