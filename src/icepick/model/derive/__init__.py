"""From contracts to a model: each clause is a view on the resource maps, or stays an oracle."""
