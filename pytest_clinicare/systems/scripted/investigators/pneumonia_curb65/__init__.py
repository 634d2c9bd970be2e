"""CURB-65 severity at pneumonia admission, as RQ-05 directs."""
