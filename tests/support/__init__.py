"""What tests of several rooms need: small models, and the way to the shared ones."""
