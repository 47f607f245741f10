"""Wrong inputs: a service refuses them, and does not fall over."""
