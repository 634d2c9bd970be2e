"""Post-CT acute kidney injury."""
