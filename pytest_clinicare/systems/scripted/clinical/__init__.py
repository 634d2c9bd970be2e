"""Clinical building blocks: pure functions over rows and texts that the tools returned."""
