"""How far apart nodes lie: distances, resistances, diameters and cuts."""
