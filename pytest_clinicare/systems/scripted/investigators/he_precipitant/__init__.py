"""Precipitant of hepatic encephalopathy, as GI-07 directs."""
