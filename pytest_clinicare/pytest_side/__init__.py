"""Everything that knows pytest; private to the plugin."""
