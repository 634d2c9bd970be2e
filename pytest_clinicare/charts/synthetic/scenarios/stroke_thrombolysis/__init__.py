"""Intravenous alteplase decision in acute ischaemic stroke."""
