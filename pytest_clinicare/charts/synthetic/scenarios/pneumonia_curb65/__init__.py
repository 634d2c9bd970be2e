"""CURB-65 severity at pneumonia admission."""
