"""Advanced imaging during an ICU stay."""
