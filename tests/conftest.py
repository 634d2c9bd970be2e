"""Settings of the property tests: other work on the machine makes an example slow, not wrong."""

from hypothesis import settings

settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
