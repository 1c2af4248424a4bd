"""Files of types for tests: recipes, chefs, cuisines, and a field of posts."""

RECIPE = """
[type]
name = "recipe"
base = "recipes"
label = { en = "Recipes", de = "Rezepte", id = "Resep" }
description = "What to cook."
supports = ["title", "editor", "author", "revisions", "comments"]
taxonomies = ["post_tag"]
address = "/recipes/{slug}/"

[[field]]
name = "serves"
kind = "integer"
label = { en = "Serves", de = "Portionen" }
help = { en = "How many it is for.", de = "Für wie viele es reicht." }
minimum = 1
filterable = true
sortable = true

[[field]]
name = "code"
unique = true
pattern = "[A-Z][0-9]+"

[[field]]
name = "chef"
kind = "relation"
to = "chef"

[[field]]
name = "similar"
kind = "relations"
to = ["recipe", "post"]
max_items = 3

[[field]]
name = "ingredients"
kind = "repeat"
max_items = 5

  [[field.field]]
  name = "amount"
  kind = "number"

  [[field.field]]
  name = "what"
  required = true

  [[field.field]]
  name = "picture"
  kind = "media"

[[field]]
name = "origin"
kind = "group"

  [[field.field]]
  name = "country"
  kind = "choice"
  choices = { fr = "France", id = { en = "Indonesia", de = "Indonesien" } }

  [[field.field]]
  name = "found"
  kind = "datetime"
"""
CHEF = """
[type]
name = "chef"
base = "chefs"
label = "Chefs"

[[field]]
name = "contact"
kind = "email"
contexts = ["edit"]
"""
CUISINE = """
[taxonomy]
name = "cuisine"
base = "cuisines"
label = { en = "Cuisines", de = "Küchen", id = "Masakan" }
types = ["recipe"]
hierarchical = true
"""
POST = """
[type]
extends = "post"

[[field]]
name = "recipe"
kind = "relation"
to = "recipe"
"""
FILES = {"recipe": RECIPE, "chef": CHEF, "cuisine": CUISINE, "post": POST}
