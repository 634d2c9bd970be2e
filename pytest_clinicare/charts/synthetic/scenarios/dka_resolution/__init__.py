"""DKA resolution at the end of the insulin infusion."""
