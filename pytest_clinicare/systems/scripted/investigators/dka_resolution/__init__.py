"""DKA resolution at the end of an insulin infusion, as RH-ENDO-02 directs."""
