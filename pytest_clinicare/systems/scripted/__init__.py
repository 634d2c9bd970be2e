"""Systems that are programs: the reference, which audits as the protocols say, and foils that fail in one way."""
