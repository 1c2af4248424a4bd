// The page begins here.
