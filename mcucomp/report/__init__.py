"""How is a result told? As text for people, as JSON for programs."""
