"""One package a scenario: ``chart`` builds a case's chart, ``plan`` draws its cases."""
