"""Charts of he-precipitant: cirrhosis, confusion, and what may have set it off."""
