"""The pages in the browser, one file a page, and what they share for drawing a message."""
