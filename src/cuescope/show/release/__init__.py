"""Two releases for people: tables, sentences side by side, Markdown for a pull request, a page."""
