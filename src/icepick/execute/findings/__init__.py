"""From what looks wrong to findings: gathered, made again alone, shortened, told once."""
