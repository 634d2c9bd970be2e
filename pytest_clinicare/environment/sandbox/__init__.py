"""Commands of an agent, run where they see and reach nothing of this machine."""
